import { deepEqual, equal, notDeepEqual } from 'node:assert/strict';
import { launchOf } from '../../../../src/features/mcp/logic/serverLaunch';

const facts = {
  profileId: 'mine',
  storage: '/storage',
  program: '/extension/dist/mcp.js',
  dailyTokens: 0,
  dailySpending: 0,
  prices: {},
  dailyRequests: 50,
  toolTokens: 7000,
  secretFiles: {},
  account: 1,
};
const node = { execPath: '/opt/node', versions: { node: '24.0.0' } };

describe('The launch of the MCP server', () => {
  it("runs a desktop editor's executable as Node.js, and uses Node.js unchanged", () => {
    const desktop = { execPath: '/opt/Code/code', versions: { node: '22.19.0', electron: '39.2.0' } };
    const { command, args, environment } = launchOf(desktop, facts);
    deepEqual([command, args], ['/opt/Code/code', ['/extension/dist/mcp.js']]);
    equal(environment['ELECTRON_RUN_AS_NODE'], '1');
    equal('ELECTRON_RUN_AS_NODE' in launchOf(node, facts).environment, false);
  });

  it("separates records by profile, counts in the profile's ledger, and uses its limit", () => {
    deepEqual(launchOf(node, { ...facts, dailyTokens: 5000 }).environment, {
      INFERENCE_DESK_STATE: '/storage/mcp/mine',
      INFERENCE_DESK_EDITOR_STORAGE: '/storage',
      INFERENCE_DESK_EDITOR_ACCOUNT: 'mine',
      INFERENCE_DESK_USAGE: '/storage/usage/mine',
      INFERENCE_DESK_DAILY_TOKENS: '5000',
      INFERENCE_DESK_DAILY_ORDERS: '50',
      INFERENCE_DESK_TOOL_TOKENS: '7000',
      INFERENCE_DESK_TOOL_USAGE: '/storage/agentTools/usage/mine',
      INFERENCE_DESK_ACCOUNT: '1',
    });
    equal('INFERENCE_DESK_DAILY_TOKENS' in launchOf(node, facts).environment, false);
  });

  it("passes the user's secret file patterns", () => {
    const { environment } = launchOf(node, { ...facts, secretFiles: { '**/plans/**': true, '**/.env': false } });
    equal(environment['INFERENCE_DESK_SECRET_FILES'], '["**/plans/**"]');
    equal('INFERENCE_DESK_SECRET_FILES' in launchOf(node, facts).environment, false);
  });

  it('is separate for another account', () => {
    notDeepEqual(launchOf(node, facts), launchOf(node, { ...facts, account: 2 }));
  });

  it('passes the prices that the user entered', () => {
    const prices = { 'Qwen/*': { input: 0.1 } };
    equal(launchOf(node, { ...facts, prices }).environment['INFERENCE_DESK_PRICES'], JSON.stringify(prices));
    equal('INFERENCE_DESK_PRICES' in launchOf(node, facts).environment, false);
  });
});
