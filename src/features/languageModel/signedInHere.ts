import * as vscode from 'vscode';
import type { Services } from '../../services/services';

/** Whether a profile with a key is active now; whoever has none is asked for one first. */
export async function signedInHere({ models }: Pick<Services, 'models'>): Promise<boolean> {
  if ((await models.ready()).session === 'signedIn') return true;
  return (await vscode.commands.executeCommand<boolean>('inferenceDesk.signIn')) === true;
}
