import type { ScreenId, Screens } from '../../src/protocol/screens';
import type { Host } from '../host';
import { mountChat } from './chat/chat';

type Mounts = { readonly [Id in ScreenId]: (root: HTMLElement, host: Host<Screens[Id]>) => void };

/** A new screen is one folder and one line here; the compiler asks for it. */
export const screens: Mounts = {
  chat: mountChat,
};
