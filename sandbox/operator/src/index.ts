export { directCsiDefinitions, directPvDefinitions, type OperatorRelease, tenantDefinition } from './definitions.ts'
export {
  type ClusterScenario,
  createScenarioObjects,
  type JoinClusterOptions,
  joinCluster,
  openApiServer,
  readScenario,
  type SandboxApiServer,
  type SandboxCluster,
  type SandboxClusterOptions,
  startSandboxCluster,
} from './sandbox-cluster.ts'
