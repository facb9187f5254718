import { equal } from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { fillText } from '../../../src/protocol/localize';

describe('a filled text', () => {
  const filled: readonly (readonly [template: string, values: readonly (string | number)[], text: string])[] = [
    ['使用 {0} 打开', ['硅基流动'], '使用硅基流动打开'],
    ['使用 {0} 打开', ['SiliconFlow'], '使用 SiliconFlow 打开'],
    ['使用 {0} 打开', ['硅基流动 SiliconFlow'], '使用硅基流动 SiliconFlow 打开'],
    ['使用 {0} 打开', ['SiliconFlow（中国站）'], '使用 SiliconFlow（中国站）打开'],
    ['{0} 个文件', [12], '12 个文件'],
    ['{0} 个文件', [0], '0 个文件'],
    ['{0} 个文件', ['十二'], '十二个文件'],
    ['已保存 {0}', ['“报告”'], '已保存“报告”'],
    ['已保存 {0}。', ['report.md'], '已保存 report.md。'],
    ['在 {0} 中找到 {1} 处', ['项目', 3], '在项目中找到 3 处'],
    ['名称：{0} {1}', ['张三', '李四'], '名称：张三李四'],
    ['名称：{0} {1}', ['张三', 'Li'], '名称：张三 Li'],
    ['模型 {0} 不可用', [''], '模型不可用'],
    ['已达到{0}上限', ['RPM'], '已达到 RPM 上限'],
    ['已达到{0}上限', ['每分钟请求数'], '已达到每分钟请求数上限'],
    ['文件 {0} 已删除', ['我的 报告 .md'], '文件我的 报告 .md 已删除'],
    ['读取 {0} 失败', ['{1}'], '读取 {1} 失败'],
    ['缺少 {0} 和 {1}', ['a'], '缺少 a 和 {1}'],
    ['Open {0} now', ['我的 文件'], 'Open 我的 文件 now'],
    ['{0} 的大小为 {1}%', ['カメラ', 5], 'カメラ的大小为 5%'],
  ];
  for (const [template, values, text] of filled) {
    it(`has no space between Chinese characters: ${template}, ${values.join(', ')}`, () => {
      equal(fillText(template, values), text);
    });
  }

  it('is the same for every import of the localization, with values by number and by name', () => {
    l10n.config({ contents: { 'Open {0}': '打开 {0} 文件', 'Open {name}': '打开 {name} 文件' } });
    try {
      equal(l10n.t('Open {0}', '配置'), '打开配置文件');
      equal(l10n.t('Open {name}', { name: '配置' }), '打开配置文件');
      equal(l10n.t('Open {0}', 'a.json'), '打开 a.json 文件');
      equal(l10n.t('Keep {0}', '配置'), 'Keep 配置');
    } finally {
      l10n.config({ contents: {} });
    }
  });
});
