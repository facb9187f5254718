import '../../../core/api/jitless';
import * as z from 'zod/mini';
import { isConversationId } from '../../../core/conversation/conversationFolder';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { Handlers } from '../../../protocol/call';
import type { LocationCalls } from '../../../protocol/chatLocations';

/** The part of the chat screen for locations. */
export interface LocationsScreen {
  readonly state: unknown;
  readonly calls: LocationCalls;
  readonly events: Record<never, never>;
}

/** Links a page to its location among the others. */
export interface LocationLinks {
  used(): void;
  scrolled(scrollTop: number): void;
  /** Throws a localized error if there is no such conversation. */
  openInEditor(id: string): Promise<void>;
}

export function locationHandlers(location: LocationLinks): Handlers<LocationsScreen> {
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

export const locationParams: ParamSchemas<LocationsScreen> = {
  'chat/used': z.strictObject({}),
  'chat/scrolled': z.strictObject({ scrollTop: z.number().check(z.gte(-1)) }),
  'chat/openInEditor': z.strictObject({ id: z.string().check(z.refine(isConversationId)) }),
};
