import { codeSamples } from './codeSamples';

/** A common first question and its answer. */
export interface Known {
  readonly asked: RegExp;
  readonly en: string;
  readonly zh: string;
  /** Added by the more verbose models. */
  readonly more?: readonly [en: string, zh: string];
}

const jsonLines = {
  en: `| | JSON Lines | CSV |
| --- | --- | --- |
| A record is | one JSON value on one line | one row of cells |
| Nesting | objects and arrays in any depth | none: flat rows only |
| Types | text, numbers, true/false, null | all cells are text |
| Names of fields | in each record | once, in the header |
| Missing field | leave the key out, or \`null\` | an empty cell |
| Line break in a value | written as \`\\n\` | allowed within quotes, so a record can span lines |
| Size | larger: names are repeated | smaller |
| Opens in a spreadsheet | no | yes |
| Good for | logs, batch requests, nested data | tables for people and spreadsheets |

In short: take **JSON Lines** where records are nested or programs read them, **CSV** where the data is one flat table.`,
  zh: `| | JSON Lines | CSV |
| --- | --- | --- |
| 一条记录 | 一行一个 JSON 值 | 一行单元格 |
| 嵌套 | 任意深度的对象和数组 | 不支持，只有平面表格 |
| 类型 | 文本、数字、布尔值、null | 全部是文本 |
| 字段名 | 每条记录都写 | 只在表头写一次 |
| 缺失的字段 | 省略键或写 \`null\` | 空单元格 |
| 值中的换行 | 写作 \`\\n\` | 可放在引号内，一条记录可能跨行 |
| 体积 | 较大：字段名重复 | 较小 |
| 能否用电子表格打开 | 不能 | 能 |
| 适合 | 日志、批处理请求、嵌套数据 | 给人看的表格 |

简单说：记录有嵌套、由程序读取时用 **JSON Lines**；数据只是一张平面表时用 **CSV**。`,
};

const skills: readonly [en: string, zh: string] = [
  `- attach code (Python, TypeScript, JavaScript, JSON, Markdown) and ask me to **explain**, **fix**, **test**, **type**, **document**, **rename** or **summarise** it
- paste a text and ask for a summary or a word count; paste CSV or a list and ask for a table or JSON
- ask what a term of this product means: token, rate limit, batch, embedding, reranker
- ask for a small function: merge, retry, primes, fetch`,
  `- 附上代码（Python、TypeScript、JavaScript、JSON、Markdown），让我**解释**、**修正**、写**测试**、补**类型**、加**注释**、**重命名**或**总结**
- 贴一段文字，让我总结或统计字数；贴 CSV 或列表，让我转成表格或 JSON
- 询问术语：Token、速率限制、批处理、嵌入向量、重排模型
- 要一个小函数：合并、重试、质数、请求`,
];

const waiting = `\`\`\`python\n${codeSamples.find(({ asked }) => asked.test('retry'))?.python ?? ''}\n\`\`\``;

/** What the demo can do, as a list. */
export const abilities = skills;

export const known: readonly Known[] = [
  {
    asked:
      /rate limit.*(?:tokens? (?:per|a) minute|\bTPM\b)|\bTPM\b|tokens? (?:per|a) minute|每分钟.*(?:token|令牌)|token.*每分钟/i,
    en: `A rate limit in **tokens per minute (TPM)** caps how much text an account may send to and get from a model within any minute. Input and output both count: your question, what is attached, the conversation so far, and the answer.

**Example.** With a limit of 10,000 TPM and requests of 1,500 tokens in and 500 out, you use 2,000 tokens a request, so about 5 fit into a minute.

**Beyond the limit** the service answers HTTP 429. Nothing is lost: wait as long as \`Retry-After\` says, then send again.

**To stay below it:** send shorter context, lower \`max_tokens\`, spread requests over time, or use a batch for work that can wait.`,
    zh: `以**每分钟 Token 数（TPM）** 计的速率限制，规定一个账户在任意一分钟内与模型往来的文本总量。输入和输出都算：问题、附件、此前的对话，以及回答。

**举例**：限制为 10,000 TPM，每个请求输入 1,500、输出 500，共 2,000 个 Token，那么一分钟大约能发 5 个请求。

**超出限制**时，服务返回 HTTP 429。数据不会丢失：按 \`Retry-After\` 给出的时间等待，再发送即可。

**如何避免**：缩短上下文、调低 \`max_tokens\`、把请求分散开，或把不急的工作交给批处理。`,
    more: [
      'There is often a limit in **requests per minute (RPM)** beside it; whichever is reached first applies.',
      '通常还有**每分钟请求数（RPM）** 限制，先达到哪个就按哪个算。',
    ],
  },
  {
    asked: /\b(?:explain|what)\b.*\brate limit.*\b(?:step|list|table|example)|速率限制.*(?:步骤|列表|表格|示例)/i,
    en: `A **rate limit** caps how much you may send within a time.

1. You send a request. The service counts it, and its tokens.
2. It compares the counts of the last minute with your limits.
3. Below them, the request is answered. Above one of them, it is refused with HTTP 429.
4. You wait as long as \`Retry-After\` says, and send it again.

| Limit | Counts |
| --- | --- |
| RPM | requests per minute |
| TPM | tokens per minute, in and out |
| IPM | images per minute |

In Python, a call that waits longer after each refusal:

${waiting}`,
    zh: `**速率限制**规定一段时间内可以发送多少。

1. 发送请求，服务记下它和它的 Token 数。
2. 服务把最近一分钟的累计与限制比较。
3. 未超出时正常回答；超出任何一项时，返回 HTTP 429。
4. 按 \`Retry-After\` 等待，然后再次发送。

| 限制 | 计数 |
| --- | --- |
| RPM | 每分钟请求数 |
| TPM | 每分钟 Token 数，含输入和输出 |
| IPM | 每分钟图片数 |

用 Python 写，每次被拒后等待更久：

${waiting}`,
  },
  {
    asked: /\breasons? (?:to|for) (?:write|writing|have) tests\b|写测试的.*理由/i,
    en: '1. A fault shows when it is made, not when it is shipped.\n2. You can change code without fear of what else breaks.\n3. A test says by example what the code is for.\n4. Code that is easy to test is mostly easy to use.\n5. A fixed fault stays fixed.',
    zh: '1. 错误在产生时就暴露，而不是在发布后。\n2. 改代码时不怕弄坏别处。\n3. 测试用例子说明代码的用途。\n4. 容易测试的代码通常也容易使用。\n5. 修好的错误不会再来。',
  },
  {
    asked: /JSON ?L(?:ines)?\b.*\bCSV\b|\bCSV\b.*JSON ?L(?:ines)?\b/i,
    ...jsonLines,
    more: [
      'A JSON Lines file can be cut at any line end, so it is easy to append to, split and stream.',
      'JSON Lines 文件可以在任意行尾切开，便于追加、拆分和流式读取。',
    ],
  },
  {
    asked:
      /\bhow (?:do|can|should) (?:i|you|we) (?:submit|send|run|make|create|start|use)\b.*\bbatch|如何.*(?:提交|创建).*批/i,
    en: `1. Open a file that ends in \`.jsonl\`, with one request per line (**New Batch File…** writes one with an example).
2. Fix what the Problems panel lists.
3. Run **Submit Batch…** from the editor's title or the Command Palette.
4. Follow it in the **Batches** view, and open its results there when it is done.`,
    zh: `1. 打开扩展名为 \`.jsonl\` 的文件，每行一个请求（**新建批处理文件…**会写好示例）。
2. 修正“问题”面板中列出的内容。
3. 从编辑器标题栏或命令面板运行**提交批处理任务…**。
4. 在**批处理**视图中查看进度，完成后在那里打开结果。`,
  },
  {
    asked: /\b(?:what|which) models\b|\blist (?:of )?(?:the )?models\b|有哪些模型/i,
    en: 'The list of models is in the **Models** view of Inference Desk. With the demo service all of them answer by the same rules; with an account you see those your service offers.',
    zh: '模型列表在 Inference Desk 的**模型**视图中。在演示服务里，它们都按同样的规则回答；登录账户后，可以看到服务提供的模型。',
  },
  {
    asked: /\bInference Desk\b/i,
    en: 'Inference Desk brings hosted models into VS Code: chat, code completion, batches of requests, reranking, images, videos and speech. You use it with the API key of your account, or with this demo service, which has no model.',
    zh: 'Inference Desk 把托管模型带进 VS Code：聊天、代码补全、批处理、重排、图片、视频和语音。可使用账户的 API 密钥，也可以使用这个没有模型的演示服务。',
  },
  {
    asked: /^\W*(?:how much|what) (?:does|do) (?:it|this|you|that) cost|多少钱|^收费吗/i,
    en: 'The demo service costs nothing. With an account you pay your service by tokens read and written; the amount of each answer stands below it.',
    zh: '演示服务不收费。使用账户时，按读入和写出的 Token 向服务付费；每个回答下方会显示用量。',
  },
  {
    asked: /\b429\b/,
    en: 'HTTP **429 Too Many Requests** means that you sent more within a time than the service allows; wait as long as its `Retry-After` header says, then send again.',
    zh: 'HTTP **429 Too Many Requests** 表示在一段时间内发送得太多；请按响应头 `Retry-After` 给出的时间等待后再发送。',
  },
  {
    asked:
      /\bwho are you\b|\bwhat are you\b|\bare you (?:a |an )?(?:real|ai|model|human|bot|person)\b|\bwhat (?:model|llm) (?:are|is)\b|\bwhich model\b|你是谁|你是什么|哪个模型|什么模型/i,
    en: 'I am the **demo service** of Inference Desk. I run on this machine, cost nothing and have no model: my answers come from rules and prepared texts, whichever model is chosen. Sign in with an account to ask a real one.',
    zh: '我是 Inference Desk 的**演示服务**，在本机运行，不收费，也没有模型：无论选择哪个模型，回答都来自规则和准备好的文字。用账户登录后即可询问真实模型。',
  },
  {
    asked:
      /\bwhat can you do\b|\bhow can you help\b|\bwhat (?:should|can|could) I (?:ask|try)\b|\bhelp me\b[.!?]*$|^\s*help[.!?]*$|你(?:能|会|可以)做什么|你能帮/i,
    en: `I am a demonstration without a model. What I can do:\n\n${skills[0]}`,
    zh: `我是没有模型的演示服务。我能做的：\n\n${skills[1]}`,
  },
  {
    asked: /\bis (?:anybody|anyone|someone) there\b|\bare you there\b|^\s*(?:test(?:ing)?|ping)[.!?]*\s*$|在吗/i,
    en: 'Yes, the demo service is here and answers. Ask me something, or attach a file and ask about it.',
    zh: '在，演示服务正常运行。可以提问，也可以附上文件再问。',
  },
  {
    asked: /This line is right\. Each line below has one fault/i,
    en: 'Understood: this line is right, and each line below it has one fault.',
    zh: '明白：这一行没有错误，下面每行各有一处错误。',
  },
  {
    asked: /two sentences about rivers/i,
    en: 'A river carries water, sand and stones from high ground to the sea, and shapes its valley on the way. Towns grew along rivers because they gave water to drink, soil to farm and a road to travel on.',
    zh: '河流把水、沙和石头从高处带到大海，一路塑造河谷。城镇沿河而兴，因为河流提供饮水、沃土和通路。',
  },
  {
    asked: /Your refund was sent today and takes three days to arrive/i,
    en: '« Votre remboursement a été envoyé aujourd’hui et mettra trois jours à arriver. »',
    zh: '« Votre remboursement a été envoyé aujourd’hui et mettra trois jours à arriver. »',
  },
  {
    asked: /moved its warehouse in May/i,
    en: 'Since the shop moved its warehouse in May, orders take four days instead of two, and customers in the north are hit most because their parcels now pass through two depots.',
    zh: '商店五月搬迁仓库后，订单从两天变为四天，北部客户受影响最大，因为包裹要经过两个中转站。',
  },
];
