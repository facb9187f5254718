import * as vscode from 'vscode';
import type { Services } from '../../src/services/services';
import { until } from './until';

/**
 * Runs a resend while a profile of a different service is active, and answers the question about the service with the first choice: the
 * original profile. Resolves when that is active.
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
