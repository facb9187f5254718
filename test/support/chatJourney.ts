import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import type { FilledDemo } from './filledDemo';

/** The chat in a real window, as the user sees it. */
export interface JourneyChat {
  readonly box: Locator;
  readonly turns: Locator;
  readonly lastTurn: Locator;
  /** The token count below the last answer, once it has ended with the service's own count. */
  readonly counted: Locator;
  /** Sends the text in the box, and waits until it is the last turn. Before that, the previous turn could be mistaken for it. */
  send(): Promise<void>;
  /** Types a question and sends it. */
  ask(question: string): Promise<void>;
}

export function chatOf({ webview }: DeskWindow): JourneyChat {
  const box = webview.getByRole('textbox', { name: 'Question' });
  const turns = webview.locator('.turn');
  const lastTurn = turns.last();
  const send = async (): Promise<void> => {
    const count = await turns.count();
    await box.press('Enter');
    await turns.nth(count).waitFor();
  };
  return {
    box,
    turns,
    lastTurn,
    counted: lastTurn.locator('.facts').getByText(/\d+ out/),
    send,
    async ask(question) {
      // Clicks like a user, so that VS Code knows that the page has the focus, and Enter goes there.
      await box.click();
      await box.fill(question);
      await send();
    },
  };
}

/** Signs in to the test's own demo service from the chat's welcome. */
export async function signInTo(desk: DeskWindow, { baseUrl, apiKey }: FilledDemo, name = 'Journey'): Promise<void> {
  await desk.openChat();
  await desk.webview.getByText('Sign In', { exact: true }).click();
  await answerSignIn(desk, baseUrl, name, apiKey);
  await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
}

/** Signs in with the command, to a listed service or a custom URL. */
export async function signInBy(desk: DeskWindow, at: string, name: string, key: string): Promise<void> {
  await desk.command('View: Close All Editors');
  await desk.command('Inference Desk: Sign In…');
  await answerSignIn(desk, at, name, key);
  // The palette would replace the progress box of the check, which would cancel it.
  await desk.status(name).waitFor();
}

async function answerSignIn(desk: DeskWindow, at: string, name: string, key: string): Promise<void> {
  const title = (text: string) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  await title('Sign In');
  if (at.startsWith('http')) {
    await desk.answer('Other URL…');
    await title('base URL');
  }
  await desk.answer(at);
  await title('enter a name');
  await desk.answer(name);
  await title(`key for ${name}`);
  await desk.answer(key);
}
