import { abortable } from '../../../core/agentTools/abortable';
import type { ToolHost } from '../../../core/agentTools/toolHost';
import { createBatchTools } from './batchTools';
import type { ToolServices } from './toolServices';
import { createMediaTools } from './mediaTools';
import { createSearchTools } from './searchTools';

/** Implements the tools with this window's services: the account of the active profile and the files of the workspace. */
export function createWorkspaceToolHost(services: ToolServices): ToolHost {
  const { connections, models } = services;
  return {
    async models(signal) {
      // Throws an explanation if nobody is signed in.
      await connections.client();
      const state = await abortable(models.ensureFresh(), signal);
      if (state.models.length === 0 && state.error !== undefined) throw state.error;
      return state;
    },
    balance: async (signal) => (await connections.client()).account.info(signal),
    ...createSearchTools(services),
    ...createMediaTools(services),
    ...createBatchTools(services),
  };
}
