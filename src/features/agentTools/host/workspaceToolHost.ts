import { abortable } from '../../../core/async/abortable';
import type { ToolHost } from '../../../core/agentTools/toolHost';
import { currencyOf } from '../../../core/profiles/knownServices';
import type { Services } from '../../../services/services';
import type { ConfirmedRequest } from '../confirmations';
import { createBatchTools } from './batchTools';
import { createMediaTools } from './mediaTools';
import { createSearchTools } from './searchTools';
import type { WorkspaceFiles } from './workspaceFiles';

/**
 * Implements the tools with this window's services: the account of the active profile and the files of the workspace. What costs money
 * is sent as it was confirmed, if a confirmation is passed.
 */
export function createToolHosts(services: Services, files: WorkspaceFiles): (confirmed?: ConfirmedRequest) => ToolHost {
  const { connections, models } = services;
  const search = createSearchTools(services, files);
  return (confirmed) => ({
    currency: currencyOf(services.account.current.baseUrl),
    async models(signal) {
      // Throws an explanation if nobody is signed in.
      await connections.client();
      const state = await abortable(models.ensureFresh(), signal);
      if (state.models.length === 0 && state.error !== undefined) throw state.error;
      return state;
    },
    async balance(signal) {
      const { profile: active } = services.account.current;
      const info = await (await connections.client(active?.id)).account.info(signal);
      return { ...info, currency: currencyOf(active?.baseUrl) };
    },
    ...search,
    ...createMediaTools(services, files, { confirmed }),
    ...createBatchTools(services, files, confirmed),
  });
}
