import type { ChatRequest } from '../../services/chat/chatService';
import type { ChatLocation } from './locations/chatLocation';

/** Asks in a new conversation at this location. The user's draft and attachments are retained for the next question. */
export async function askInNewConversation(
  { session, page }: ChatLocation,
  { text, models, parameters }: ChatRequest,
): Promise<void> {
  const draft = await session.startApart();
  try {
    await session.parameters.set(parameters);
    const [model = ''] = models;
    if (models.length > 1) {
      await session.comparisons.choose({ models, on: true });
      await session.comparisons.ask(text, models, []);
    } else {
      await session.chooseModel(model);
      await session.ask(text, model);
    }
  } finally {
    if (draft !== '') await session.setDraft(draft);
    await page.tellChanged();
  }
}
