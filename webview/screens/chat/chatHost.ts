import type { Caller } from '../../../src/protocol/caller';
import type { ChatScreen, ChatSnapshot } from '../../../src/protocol/chat';

/** The host, and what the page keeps of its own over a reload. */
export type ChatHost = Pick<Caller<ChatScreen>, 'call' | 'on'> & {
  load(): ChatScreen['state'] | undefined;
  save(state: ChatScreen['state']): void;
};

/** What the host says of the page that no part keeps for itself. */
export type PageState = Omit<ChatSnapshot, 'turns' | 'draft' | 'compaction' | 'scrollTop'>;

/** Shows what the host refused; `undefined` then. */
export type Attempt = <Result>(work: Promise<Result>) => Promise<Result | undefined>;
