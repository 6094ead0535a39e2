export {
  furnish,
  readScenario,
  type SandboxCluster,
  type SandboxClusterOptions,
  type Scenario,
  startSandboxCluster,
} from './cluster.ts'
export { directCsiDefinitions, directPvDefinitions, type Release, tenantDefinition } from './definitions.ts'
