import * as vscode from 'vscode';
import type { Services } from '../../services/services';

/** Returns whether the active profile has a key; asks the person to sign in if it has none. */
export async function signedInHere({ models }: Services): Promise<boolean> {
  if ((await models.ready()).session === 'signedIn') return true;
  return (await vscode.commands.executeCommand<boolean>('inferenceDesk.signIn')) === true;
}
