import { l10n } from 'vscode';
import type { InsertForm } from '../../../core/assets/insertForms';

export function formLabel(form: InsertForm): string {
  const labels: Readonly<Record<InsertForm, string>> = {
    markdown: 'Markdown',
    html: 'HTML',
    import: l10n.t('Import'),
    css: 'CSS',
    latex: 'LaTeX',
    restructuredText: 'reStructuredText',
    asciiDoc: 'AsciiDoc',
    path: l10n.t('Path'),
  };
  return labels[form];
}
