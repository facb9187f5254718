import type { ChatScreen, ChatSnapshot } from '../../../src/protocol/chat';
import type { Host } from '../../host';

export type ChatHost = Host<ChatScreen>;

/** The part of the host's snapshot that no other module stores. */
export type PageState = Omit<ChatSnapshot, 'turns' | 'draft' | 'compaction' | 'scrollTop'>;

/** Runs a call to the host. If the host rejects it, shows the error and resolves with `undefined`. */
export type Attempt = <Result>(work: Promise<Result>) => Promise<Result | undefined>;
