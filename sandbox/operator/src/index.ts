export {
  type SandboxApiServer,
  createScenarioObjects,
  type JoinClusterOptions,
  joinCluster,
  openApiServer,
  readScenario,
  type SandboxCluster,
  type SandboxClusterOptions,
  type ClusterScenario,
  startSandboxCluster,
} from './sandbox-cluster.ts'
export { directCsiDefinitions, directPvDefinitions, type OperatorRelease, tenantDefinition } from './definitions.ts'
