import type { ChatScreen } from './chat';

/** Every screen of the webview. A new screen is one file beside this one and one line here. */
export interface Screens {
  readonly chat: ChatScreen;
}

export type ScreenId = keyof Screens;
