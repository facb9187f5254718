import type { Scene } from '../scene';

export const batchResults: Scene = async ({ desk, openFile, showViews }) => {
  const { page, editorPage } = desk;
  await showViews('Files', 'Batches');
  await desk.widenSideBar(300);
  await openFile('tickets.jsonl');
  await page.locator('.codelens-decoration a:visible', { hasText: 'Submit Batch…' }).first().click();
  await editorPage.getByText('No problems in 16 requests.').first().waitFor();
  await editorPage.locator('vscode-button', { hasText: 'Submit' }).locator('button').click();
  await editorPage.locator('vscode-button', { hasText: 'Open Results' }).locator('button').click({ timeout: 60_000 });
  await editorPage.getByText('ticket-1041', { exact: true }).first().waitFor();
  await desk.viewAction('Files', 'Refresh');
  await page.locator('.sidebar .monaco-list-row', { hasText: 'tickets.jsonl' }).waitFor();
  await desk.clearNotices();
  return () => editorPage.getByText('ticket-1041', { exact: true }).first().waitFor();
};
