import { runServer } from './mcp/runServer';

await runServer({ arguments: process.argv.slice(2), programs: import.meta.dirname });
