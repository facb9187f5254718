import * as vscode from 'vscode';

/** Does in the window of `npm start` what a new user would do first: start the demo service, sign in to it, open the chat. */
export async function activate(): Promise<void> {
  await vscode.commands.executeCommand('inferenceDesk.demo.start');
  await vscode.commands.executeCommand('inferenceDesk.chat.focus');
}
