export {
  type ApiServer,
  furnish,
  type JoinOptions,
  joinCluster,
  openApiServer,
  readScenario,
  type SandboxCluster,
  type SandboxClusterOptions,
  type Scenario,
  startSandboxCluster,
} from './cluster.ts'
export { directCsiDefinitions, directPvDefinitions, type Release, tenantDefinition } from './definitions.ts'
