import type { Services } from '../../../services/services';

/** The services of a window, and whether its workspace is currently trusted. */
export interface ToolServices extends Services {
  readonly isTrusted: () => boolean;
  /** Check of a request that the person confirmed; absent if the tool is free. */
  readonly agreed?: OrderCheck;
}

/** Ensures that what is sent is what the person was asked about. */
export interface OrderCheck {
  /** The profile to send the request to, even if another one is active by then. */
  readonly profileId: string | undefined;
  /** Throws `AgentProblem` if what would be sent has changed since. Pass no model if the lines of a file name their own. */
  check(this: void, model: string | undefined): Promise<void>;
}
