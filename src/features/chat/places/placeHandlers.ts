import '../../../core/api/jitless';
import * as z from 'zod/mini';
import { isConversationId } from '../../../core/conversation/conversationFolder';
import type { ParamSchemas } from '../../../platform/webviewEnvelope';
import type { Handlers } from '../../../protocol/call';
import type { PlacesCalls } from '../../../protocol/chatPlaces';

/** The part of the chat screen that is about places. */
export interface PlacesScreen {
  readonly state: unknown;
  readonly strings: object;
  readonly calls: PlacesCalls;
  readonly events: Record<never, never>;
}

/** A place as its page knows it among the others. */
export interface PlaceLinks {
  used(): void;
  scrolled(scrollTop: number): void;
  /** Throws in words when there is no such conversation. */
  openInEditor(id: string): Promise<void>;
}

export function placeHandlers(place: PlaceLinks): Handlers<PlacesScreen> {
  return {
    'chat/used': async () => {
      place.used();
      return {};
    },
    'chat/scrolled': async ({ scrollTop }) => {
      place.scrolled(scrollTop);
      return {};
    },
    'chat/openInEditor': async ({ id }) => {
      await place.openInEditor(id);
      return {};
    },
  };
}

export const placeParams: ParamSchemas<PlacesScreen> = {
  'chat/used': z.strictObject({}),
  'chat/scrolled': z.strictObject({ scrollTop: z.number().check(z.gte(-1)) }),
  'chat/openInEditor': z.strictObject({ id: z.string().check(z.refine(isConversationId)) }),
};
