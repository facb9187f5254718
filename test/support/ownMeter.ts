import { ServiceConnections } from '../../src/services/account/connections';
import type { Services } from '../../src/services/services';
import { UsageService } from '../../src/services/usage/usage';

/** Creates a window's meter with the test's own settings and storage, whose clients of the same profiles count usage there. */
export function createOwnMeter(own: Services) {
  const usage = new UsageService(own);
  const connections = new ServiceConnections({
    ...own,
    meter: async (client, profileId, use) => usage.metered(client, profileId, use),
    holdPaid: async (profileId) => usage.checkSpending(profileId),
  });
  return { usage, connections };
}
