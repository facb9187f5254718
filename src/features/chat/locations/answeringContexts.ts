import { setContext } from '../../../platform/contributions';
import type { ChatLocation } from './chatLocation';
import type { ChatLocations } from './chatLocations';

/** Keeps the context keys up to date that say where an answer is running. */
export function createAnsweringContexts(isAnswering: (conversationId: string) => boolean): {
  update(locations: ChatLocations): void;
} {
  const told = new Map<string, boolean>();
  const tell = (key: Parameters<typeof setContext>[0] & `${string}Answering`, location: ChatLocation | undefined) => {
    const id = location?.session.shown.currentId;
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
