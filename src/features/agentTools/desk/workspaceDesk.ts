import { abortable } from '../../../core/agentTools/abortable';
import type { AgentDesk } from '../../../core/agentTools/agentDesk';
import { createBatchDesk } from './batchDesk';
import type { DeskServices } from './deskServices';
import { createMediaDesk } from './mediaDesk';
import { createSearchDesk } from './searchDesk';

/** What the tools need, over the services of this window: the account of the active profile, the files of the workspace. */
export function createWorkspaceDesk(services: DeskServices): AgentDesk {
  const { connections, models } = services;
  return {
    async models(signal) {
      // Says so where nobody is signed in.
      await connections.client();
      const state = await abortable(models.ensureFresh(), signal);
      if (state.models.length === 0 && state.error !== undefined) throw state.error;
      return state;
    },
    balance: async (signal) => (await connections.client()).account.info(signal),
    ...createSearchDesk(services),
    ...createMediaDesk(services),
    ...createBatchDesk(services),
  };
}
