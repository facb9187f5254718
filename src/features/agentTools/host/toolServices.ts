import type { Services } from '../../../services/services';

/** The services of a window, and whether its workspace is trusted now. */
export interface ToolServices extends Services {
  readonly isTrusted: () => boolean;
  /** Of an order that a person agreed to; absent where nothing is ordered. */
  readonly agreed?: OrderCheck;
}

/** Holds what is sent to what a person was asked about. */
export interface OrderCheck {
  /** That the order goes to, whichever is active by then. */
  readonly profileId: string | undefined;
  /** Throws `AgentProblem` where what would be sent is another by now. Without a model where the lines of a file name theirs. */
  check(this: void, model: string | undefined): Promise<void>;
}
