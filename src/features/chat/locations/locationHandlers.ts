import type { HandlersOf } from '../../../protocol/call';
import type { locationCalls } from '../../../protocol/chatLocations';

/** Links a page to its location among the others. */
export interface LocationLinks {
  used(): void;
  scrolled(scrollTop: number): void;
  /** Throws a localized error if there is no such conversation. */
  openInEditor(id: string): Promise<void>;
}

export function locationHandlers(location: LocationLinks): HandlersOf<typeof locationCalls> {
  return {
    'chat/used': async () => {
      location.used();
      return {};
    },
    'chat/scrolled': async ({ scrollTop }) => {
      location.scrolled(scrollTop);
      return {};
    },
    'chat/openInEditor': async ({ id }) => {
      await location.openInEditor(id);
      return {};
    },
  };
}
