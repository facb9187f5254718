import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';

describe('a Chinese window', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'chinese-'));
    writeFileSync(path.join(folder, '需求.md'), '导出功能需要支持表格。\n');
    desk = await this.openDesk({ folder, language: 'zh-cn' });
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const rows = () => desk.quickInput.locator('.quick-input-list .monaco-list-row');

  it('lists the Chinese host first, and finds it by both of its names', async () => {
    await desk.command('登录…');
    await desk.quickInput.locator('.quick-input-title', { hasText: '登录' }).waitFor();
    await rows().filter({ hasText: '硅基流动 SiliconFlow（中国站）' }).waitFor();
    const known = rows().filter({ hasText: 'siliconflow' });
    assert.match((await known.first().textContent()) ?? '', /硅基流动 SiliconFlow（中国站）/);
    await desk.screenshot('chinese-sign-in');
    for (const typed of ['硅基', 'siliconflow']) {
      await desk.quickInput.locator('input.input').first().fill(typed);
      await rows().filter({ hasText: '硅基流动 SiliconFlow（中国站）' }).waitFor();
      await rows().filter({ hasText: 'Ollama' }).waitFor({ state: 'detached' });
    }
  });

  it("links to the Chinese host's page for keys", async () => {
    await rows().filter({ hasText: '（中国站）' }).click();
    await desk.quickInput.locator('.quick-input-title', { hasText: '输入名称' }).waitFor();
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.getByText('cloud.siliconflow.cn/account/ak').waitFor();
    await desk.quickInput.getByRole('button', { name: '获取 API 密钥' }).waitFor();
    await desk.screenshot('chinese-key');
    await desk.page.keyboard.press('Escape');
  });

  it('offers attachments for a # in the middle of a Chinese sentence, and shows the account in the status bar', async () => {
    await desk.command('启动演示服务');
    await desk.status(/演示/).waitFor();
    await desk.command('打开聊天');
    const box = desk.webview.getByRole('textbox', { name: '问题' });
    await box.click();
    await box.pressSequentially('请总结＃需求');
    await desk.webview.getByRole('option', { name: /需求\.md/ }).waitFor();
    await desk.screenshot('chinese-mention');
    await box.press('Enter');
    await desk.webview.locator('.chip-label', { hasText: '需求.md' }).waitFor();
    assert.equal(await box.inputValue(), '请总结');
    await desk.screenshot('chinese-attached');
  });
});
