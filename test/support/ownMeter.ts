import { ServiceConnections } from '../../src/services/account/connections';
import type { Services } from '../../src/services/services';
import { UsageService } from '../../src/services/usage/usage';

/** What a window with settings and storage of a test's own counts with: clients of the same profiles, whose usage is counted there. */
export function createOwnMeter(own: Services) {
  const usage = new UsageService(own);
  const connections = new ServiceConnections({
    ...own,
    meter: async (client, profileId, use) => usage.metered(client, profileId, use),
    holdPaid: async (profileId) => usage.checkSpending(profileId),
  });
  return { usage, connections };
}
