import * as vscode from 'vscode';

/** Performs a new user's first steps in the window of `npm start`: starts the demo service, signs in to it, and opens the chat. */
export async function activate(): Promise<void> {
  await vscode.commands.executeCommand('inferenceDesk.demo.start');
  await vscode.commands.executeCommand('inferenceDesk.chat.focus');
}
