import * as vscode from 'vscode';
import type { Services } from '../../src/services/services';
import { until } from './until';

/**
 * Runs what sends something again while a profile of another service than it was made at is active, and answers the question
 * where it goes with the first choice: the profile it was made with. Resolves when that is active.
 */
export async function sentFromOtherService(
  { profiles }: Pick<Services, 'profiles'>,
  made: string,
  send: () => Promise<unknown>,
): Promise<void> {
  await profiles.save({ id: 'other', name: 'Other', baseUrl: 'https://other.example/v1' });
  await profiles.storeKey('other', 'key');
  await profiles.setActive('other');
  try {
    const sending = send();
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return profiles.active?.id === made ? true : undefined;
    }, 'the question where it is sent');
    await sending;
  } finally {
    await profiles.setActive(made);
    await profiles.remove('other');
  }
}
