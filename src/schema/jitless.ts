import { config } from 'zod/mini';

// Must run before any schema is created: compiling one probes `new Function`, which the extension host and a webview's CSP reject.
config({ jitless: true });
