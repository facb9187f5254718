import type { Caller } from '../../../src/protocol/caller';
import type { ChatScreen, ChatSnapshot } from '../../../src/protocol/chat';

/** The host, and the page's own state, which survives a reload. */
export type ChatHost = Pick<Caller<ChatScreen>, 'call' | 'on'> & {
  load(): ChatScreen['state'] | undefined;
  save(state: ChatScreen['state']): void;
};

/** The part of the host's snapshot that no other module stores. */
export type PageState = Omit<ChatSnapshot, 'turns' | 'draft' | 'compaction' | 'scrollTop'>;

/** Runs a call to the host. If the host rejects it, shows the error and resolves with `undefined`. */
export type Attempt = <Result>(work: Promise<Result>) => Promise<Result | undefined>;
