import type { ServerOptions } from '@modelcontextprotocol/server';

/** For what a person would be asked by forms, which this server never does: the SDK's own validators are 120 kB. */
export const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator() {
    throw new Error('This server asks nothing by forms.');
  },
};
