import { join } from 'node:path';
import { writeSecretFiles } from '../../core/workspace/ownSecretFiles';

/** What runs this, as far as starting a program by it goes. */
export interface Runtime {
  readonly execPath: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

export interface LaunchFacts {
  readonly profileId: string;
  /** Of the extension's storage. Absolute. */
  readonly storage: string;
  /** Absolute. */
  readonly program: string;
  /** Tokens of a day; 0 is no limit. */
  readonly dailyTokens: number;
  /** Of these, those that tools may use by themselves; 0 is no limit. */
  readonly toolTokens: number;
  /** Paid orders of a day; 0 is no limit. */
  readonly dailyOrders: number;
  /** As the person and the workspace have them. */
  readonly secretFiles: Readonly<Record<string, boolean>>;
  /** Another one for another account. */
  readonly account: number;
}

export interface ServerLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * How the server is started, without the address and the key, which it gets then. It differs wherever a server that runs would have to
 * be started anew: the editor stops one whose launch is another by now.
 */
export function launchOf({ execPath, versions }: Runtime, facts: LaunchFacts): ServerLaunch {
  const { profileId, storage, program, dailyTokens, toolTokens, dailyOrders, account } = facts;
  const secretFiles = writeSecretFiles(facts.secretFiles);
  return {
    command: execPath,
    args: [program],
    environment: {
      // The desktop's program is the editor itself, which is Node when told so; a server's is Node.
      ...(versions['electron'] !== undefined && { ELECTRON_RUN_AS_NODE: '1' }),
      INFERENCE_DESK_STATE: join(storage, 'mcp', profileId),
      INFERENCE_DESK_USAGE: join(storage, 'usage', profileId),
      ...(dailyTokens > 0 && { INFERENCE_DESK_DAILY_TOKENS: String(dailyTokens) }),
      INFERENCE_DESK_TOOL_USAGE: join(storage, 'agentTools', 'usage', profileId),
      INFERENCE_DESK_TOOL_TOKENS: String(toolTokens),
      INFERENCE_DESK_DAILY_ORDERS: String(dailyOrders),
      ...(secretFiles !== undefined && { INFERENCE_DESK_SECRET_FILES: secretFiles }),
      INFERENCE_DESK_ACCOUNT: String(account),
    },
  };
}
