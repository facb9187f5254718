import { config } from 'zod/mini';

// Before any schema is made: compiling one probes `new Function`, which the editor's host and a page's policy do not like.
config({ jitless: true });
