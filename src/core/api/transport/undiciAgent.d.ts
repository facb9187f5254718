// The package declares types for its main module only. That module sets the process-wide dispatcher as it loads, and is twice the size.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export default Agent;
}
