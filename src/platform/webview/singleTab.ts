import * as vscode from 'vscode';
import type { Disposable } from '../disposables';

/** The tab of a page that a window shows at most once. */
export class SingleTab<Page extends Disposable> implements Disposable {
  private shown: { readonly panel: vscode.WebviewPanel; readonly page: Page } | undefined;

  /** `show` draws the page in a new tab; the page is disposed when the tab is closed. */
  constructor(
    private readonly viewType: `inferenceDesk.${string}`,
    private readonly show: (panel: vscode.WebviewPanel) => Page,
  ) {}

  /** Reveals the tab, or opens it in this column. */
  open(column: vscode.ViewColumn = vscode.ViewColumn.Active): Page {
    if (this.shown) {
      this.shown.panel.reveal();
      return this.shown.page;
    }
    // After a reload of the window, VS Code restores a tab only once it is shown, and can't be made to.
    const unrestored = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => this.isOwn(tab)));
    const page = this.showIn(vscode.window.createWebviewPanel(this.viewType, '', column));
    void vscode.window.tabGroups.close(unrestored, true);
    return page;
  }

  /** Restores the tab after a reload of the window. */
  restore(panel: vscode.WebviewPanel): void {
    if (this.shown) panel.dispose();
    else this.showIn(panel);
  }

  dispose(): void {
    this.shown?.page.dispose();
  }

  private isOwn({ input }: vscode.Tab): boolean {
    // VS Code adds a prefix to the type.
    return input instanceof vscode.TabInputWebview && input.viewType.endsWith(this.viewType);
  }

  private showIn(panel: vscode.WebviewPanel): Page {
    const page = this.show(panel);
    this.shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (this.shown?.panel === panel) this.shown = undefined;
    });
    return page;
  }
}
