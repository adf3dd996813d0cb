// undici's own entry loads fetch, WebSocket, caches and mocks as well: 200 ms and 28 MB where these modules cost 60 ms and
// 14 MB. They are typed by the public declarations, and the exact version in package.json keeps the paths true.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
