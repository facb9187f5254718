import { setContext } from '../../../platform/contributions';
import type { ChatPlace } from './chatPlace';
import type { ChatPlaces } from './chatPlaces';

/** Keeps the context keys that tell where an answer comes. */
export function createAnsweringContexts(isAnswering: (conversationId: string) => boolean): {
  update(places: Pick<ChatPlaces, 'sideBar' | 'current' | 'activeTab'>): void;
} {
  const told = new Map<string, boolean>();
  const tell = (key: Parameters<typeof setContext>[0] & `${string}Answering`, place: ChatPlace | undefined) => {
    const id = place?.session.shown.currentId;
    const value = id !== undefined && isAnswering(id);
    if (told.get(key) === value) return;
    told.set(key, value);
    void setContext(key, value);
  };
  return {
    update({ sideBar, current, activeTab }) {
      tell('inferenceDesk.chatAnswering', current);
      tell('inferenceDesk.chatSideBarAnswering', sideBar);
      tell('inferenceDesk.chatTabAnswering', activeTab);
    },
  };
}
