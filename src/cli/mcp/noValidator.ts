import type { ServerOptions } from '@modelcontextprotocol/server';

/** Replaces the SDK's form validators, which are 120 kB: this server never asks the user for form input. */
export const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator() {
    throw new Error('This server asks nothing by forms.');
  },
};
