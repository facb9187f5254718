import type { Turn } from '../../../protocol/chat';
import type { ToolsCalls } from '../../../protocol/chatTools';

/** The part of the chat screen for tools. */
export interface ToolsScreen {
  readonly state: unknown;
  readonly calls: ToolsCalls<Turn>;
  readonly events: Record<never, never>;
}
