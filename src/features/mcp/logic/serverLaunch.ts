import { join } from 'node:path';
import { writePrices } from '../../../core/prices/prices';
import { writeSecretFiles } from '../../../core/workspace/ownSecretFiles';

/** The runtime of this process, as needed to start a program with it. */
export interface Runtime {
  readonly execPath: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

export interface LaunchFacts {
  readonly profileId: string;
  /** Absolute path of the extension's storage. */
  readonly storage: string;
  /** Absolute path. */
  readonly program: string;
  /** Tokens per day; 0 disables the limit. */
  readonly dailyTokens: number;
  /** Money per day; 0 disables the limit. */
  readonly dailySpending: number;
  /** Tokens per day that tools may use on their own; 0 disables the limit. */
  readonly toolTokens: number;
  /** Paid jobs per day; 0 disables the limit. */
  readonly dailyRequests: number;
  /** As entered in the setting. */
  readonly prices: Readonly<Record<string, unknown>>;
  /** As set by the user and the workspace. */
  readonly secretFiles: Readonly<Record<string, boolean>>;
  /** A number that changes with the account. */
  readonly account: number;
}

export interface ServerLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns how to start the server, without the URL and the key, which are added at the start. Two launches differ whenever a running server
 * must be restarted: VS Code stops one whose launch has changed.
 */
export function launchOf({ execPath, versions }: Runtime, facts: LaunchFacts): ServerLaunch {
  const { profileId, storage, program, dailyTokens, dailySpending, toolTokens, dailyRequests, account } = facts;
  const prices = writePrices(facts.prices);
  const secretFiles = writeSecretFiles(facts.secretFiles);
  return {
    command: execPath,
    args: [program],
    environment: {
      // On the desktop, the executable is VS Code itself, which runs as Node if configured to. On a server it is Node.
      ...(versions['electron'] !== undefined && { ELECTRON_RUN_AS_NODE: '1' }),
      INFERENCE_DESK_STATE: join(storage, 'mcp', profileId),
      INFERENCE_DESK_EDITOR_STORAGE: storage,
      INFERENCE_DESK_EDITOR_ACCOUNT: profileId,
      INFERENCE_DESK_USAGE: join(storage, 'usage', profileId),
      ...(dailyTokens > 0 && { INFERENCE_DESK_DAILY_TOKENS: String(dailyTokens) }),
      ...(dailySpending > 0 && {
        INFERENCE_DESK_DAILY_SPENDING: String(dailySpending),
        INFERENCE_DESK_SPENDING: join(storage, 'spending', `${profileId}.json`),
      }),
      ...(prices !== undefined && { INFERENCE_DESK_PRICES: prices }),
      INFERENCE_DESK_TOOL_USAGE: join(storage, 'agentTools', 'usage', profileId),
      INFERENCE_DESK_TOOL_TOKENS: String(toolTokens),
      INFERENCE_DESK_DAILY_ORDERS: String(dailyRequests),
      ...(secretFiles !== undefined && { INFERENCE_DESK_SECRET_FILES: secretFiles }),
      INFERENCE_DESK_ACCOUNT: String(account),
    },
  };
}
