import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from './deskServices';
import { startFilledDemo, type FilledDemo } from './filledDemo';
import { createPageEnd, type PageEnd } from './pageEnd';
import { until } from './until';

/** The chat of this window, and its page, which the test simulates. Set before each test of the `describe` that requested it. */
export interface OpenChat {
  services: Services;
  demo: FilledDemo;
  runtime: ChatRuntime;
  end: PageEnd<'chat'>;
  /** Opens another page, like a reloaded window. */
  open(): void;
}

/** Signs in to a demo service of that pace with an account of that name. Each test starts with a new conversation. */
export function setUpOpenChat(
  account: string,
  pace: { readonly firstTokenMs: number; readonly tokenMs: number },
): OpenChat {
  const chat = {
    open() {
      chat.runtime = new ChatRuntime(chat.services);
      chat.end = createPageEnd<'chat'>();
      chat.runtime.show(chat.end.view);
    },
  } as OpenChat;
  before(async () => {
    chat.services = await deskServices();
    chat.demo = await startFilledDemo({ pace });
    await signInAnew(chat.services, account, chat.demo);
    await chat.services.models.refresh();
    await openOwnChat(chat.services);
  });
  after(async () => {
    await beginAnew(chat.services);
    await chat.demo.close();
  });
  beforeEach(async () => {
    chat.open();
    await chat.runtime.locations.current.startNew();
  });
  afterEach(() => chat.runtime.dispose());
  return chat;
}

/** Opens the window's own chat. Otherwise it may open a conversation of a test as soon as the test closes its page. */
async function openOwnChat({ context }: Services): Promise<void> {
  const leases = join(context.globalStorageUri.fsPath, 'conversations', 'open');
  await vscode.commands.executeCommand('inferenceDesk.chat.focus');
  await until(async () => (await readdir(leases).catch(() => []))[0], "the window's own conversation");
}
