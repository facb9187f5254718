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
  /** Prepares the host before the page's first call. */
  readonly prepare?: (host: ChatHost) => void;
  /** Override the host's own handlers. */
  readonly handlers?: Partial<Handlers<ChatScreen>>;
  /** The text that is visible once the page is rendered. */
  readonly drawn?: string;
}

/** Opens the chat on a snapshot, empty by default, and waits until it is rendered. */
export type OpenChatPage = (snapshot?: ChatSnapshot, options?: ChatPageOptions) => Promise<ChatPage>;

/**
 * For a suite about the chat page, called once in its `describe`. After each test, closes its pages, which must not have reported errors or
 * sent requests.
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
