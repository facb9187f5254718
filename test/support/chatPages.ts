import type { Page } from 'playwright-core';
import type { Handlers } from '../../src/protocol/call';
import type { ChatScreen, ChatSnapshot } from '../../src/protocol/chat';
import type { Responder } from '../../src/protocol/responder';
import { type ChatHost, createChatHost, emptySnapshot } from './chatHost';
import { screenPages } from './screenPages';
import type { Say, Theme } from './webviewPage';

export interface ChatPage {
  readonly page: Page;
  readonly host: ChatHost;
  /** Sends an event of the host to the page. */
  readonly tell: Responder<ChatScreen>['tell'];
}

export interface ChatPageOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** What the host has before the page asks. */
  readonly prepare?: (host: ChatHost) => void;
  /** In place of the host's own handlers. */
  readonly handlers?: Partial<Handlers<ChatScreen>>;
  /** What is seen once the page is drawn. */
  readonly drawn?: string;
}

/** Opens the chat on a snapshot, an empty one by default, and waits until it is drawn. */
export type OpenChatPage = (snapshot?: ChatSnapshot, options?: ChatPageOptions) => Promise<ChatPage>;

/**
 * For a suite about the chat page, called once in its `describe`. After each of its tests the pages it opened are closed, and must have
 * complained of nothing and asked nobody for anything.
 */
export function chatPages(say?: Say): OpenChatPage {
  const openPage = screenPages(say);

  return async (snapshot = emptySnapshot(), options = {}) => {
    const { theme = 'dark', prepare, handlers, drawn = '.turn, .welcome', ...size } = options;
    const host = createChatHost(snapshot);
    prepare?.(host);
    const one = await openPage('chat', { theme, ...size, handlers: { ...host.handlers, ...handlers } });
    await one.page.locator(drawn).first().waitFor();
    return { page: one.page, host, tell: (name, data) => one.host.tell(name, data) };
  };
}
