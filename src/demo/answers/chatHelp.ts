/** How something is done with the product. */
export interface HowTo {
  readonly pattern: RegExp;
  /** The command that does it, with its title; absent if it's done with a key or a button of the chat. */
  readonly command?: string;
  readonly title?: readonly [en: string, zh: string];
  readonly en: string;
  readonly zh: string;
}

/** How to use the chat and what it does, most specific first. */
export const chatHelp: readonly HowTo[] = [
  {
    pattern:
      /\b401\b.*(?:error|mean|status|code)|\b(?:http|error|status|code) 401\b|401[^。？]*(?:错误|意思|状态)|(?:返回|报|出现|收到)[^。？]{0,3}401/i,
    command: 'manageAccounts',
    title: ['Manage Accounts…', '管理账户…'],
    en: 'HTTP **401 Unauthorized** means that the service doesn’t accept the API key. Enter the key again: it may be incomplete, expired, or for another service.',
    zh: 'HTTP **401 Unauthorized** 表示服务不接受 API 密钥。请重新输入：密钥可能不完整、已过期，或属于其他服务。',
  },
  {
    pattern:
      /\b404\b.*(?:error|mean|status|code)|\b(?:http|error|status|code) 404\b|404[^。？]*(?:错误|意思|状态)|(?:返回|报|出现|收到)[^。？]{0,3}404/i,
    command: 'manageAccounts',
    title: ['Manage Accounts…', '管理账户…'],
    en: 'HTTP **404 Not Found** means that the service doesn’t have the requested model or URL. Check the model ID and the base URL, which often ends in `/v1`.',
    zh: 'HTTP **404 Not Found** 表示服务没有所请求的模型或 URL。请检查模型 ID 和基础 URL，后者通常以 `/v1` 结尾。',
  },
  {
    pattern:
      /\b50[0234]\b.*(?:error|mean|status|code)|\b(?:http|error|status|code) 50[0234]\b|50[0234][^。？]*(?:错误|意思|状态)/i,
    en: 'An HTTP status of **500** or more is an error of the service, which may be overloaded or down. Try again in a moment, or use another model.',
    zh: 'HTTP 状态码为 **500** 或以上，表示服务出错，可能过载或停机。请稍后再试，或使用其他模型。',
  },
  {
    pattern: /\b(?:need|require[ds]?|without|necessary)\b[^.?]*\bgithub\b|(?:需要|要不要|必须|没有)[^。？]{0,4}github/i,
    en: 'No. Inference Desk uses your own account at a service, or a local server. With its models, VS Code’s own chat doesn’t need a GitHub account either.',
    zh: '不需要。Inference Desk 使用你自己的服务账户或本地服务器。使用其中的模型时，VS Code 自带的聊天也不需要 GitHub 账户。',
  },
  {
    pattern:
      /\bconversations?\b[^.?]*\b(?:clos(?:e|ing)|quit|restart|reload|saved|stored|kept|lost)\b|\b(?:lose|keep|save|store)\b[^.?]*\bconversations?\b|(?:对话|聊天)[^。？]{0,6}(?:关闭|重启|保存|存在|丢失)|(?:关闭|重启)[^。？]{0,8}(?:对话|聊天)/i,
    command: 'chat.conversations',
    title: ['Show Conversations', '显示对话'],
    en: 'Conversations are stored on this machine as they grow, with a question that you haven’t sent yet. They’re all in the list after a restart.',
    zh: '对话边进行边保存在本机，尚未发送的问题也会保存。重启后都在列表中。',
  },
  {
    pattern:
      /^(?!.*\bgit\b).*(?:\b(?:apply|insert|put)\b[^.?]*\bcode\b|\b(?:apply|undo|revert)\b[^.?]*\b(?:changes?|edits?|suggestions?)\b)|(?:应用|插入|写入|放到)[^。？]{0,6}(?:代码|更改|修改)|代码[^。？]{0,4}(?:应用|插入|写入|放)到|(?:撤消|撤销)[^。？]{0,6}(?:代码|更改|修改)/i,
    en: 'Choose **Apply** above a code block. Each change is shown in your file with **Keep** and **Undo**, and **Undo** above the question box takes back all of them. To try it here, attach code and ask "Rename *one name* to *another*".',
    zh: '在代码块上方选择**应用**。每处更改都会显示在文件中，可以**保留**或**撤消**，问题框上方的**撤消**会撤消全部更改。要在演示中试试，请附加代码，然后问“把 *旧名称* 重命名为 *新名称*”。',
  },
  {
    pattern:
      /\bagents\.md\b|\bcopilot-instructions\b|\binstructions? files?\b|\b(?:turn off|disable)\b[^.?]*\binstructions\b|指令文件/i,
    en: '`AGENTS.md` and `.github/copilot-instructions.md` in your workspace are sent as instructions with every question. Their names are shown under the question: click one to turn it off or on. The setting `inferenceDesk.chat.instructions` adds your own.',
    zh: '工作区中的 `AGENTS.md` 和 `.github/copilot-instructions.md` 会作为指令随每个问题发送。文件名显示在问题下方，单击即可关闭或打开。设置 `inferenceDesk.chat.instructions` 可添加自己的指令。',
  },
  {
    pattern:
      /\b(?:answer|response|reply|output)\b[^.?]*\b(?:cut(?: off)?|truncated|incomplete|too short|(?:stop(?:s|ped)?|end(?:s|ed)?) (?:early|in the middle|halfway))\b|(?:回答|回复|输出)[^。？]{0,6}(?:截断|中断|不完整|没写完|太短)|(?:截断|中断|没写完)的(?:回答|回复|输出)/i,
    en: 'An answer ends early at the limit of response tokens. Choose **Continue** under it, or raise `max_tokens` under **Parameters**.',
    zh: '达到回答的 Token 上限时，回答会提前结束。选择其下方的**继续**，或在**参数**中调高 `max_tokens`。',
  },
  {
    pattern:
      /\b(?:how|can (?:i|it|the model)|make|force)\b[^.?]*\bjson (?:output|answers?|responses?|mode|only|schema)\b|\b(?:how|can|make|force)\b[^.?]*\b(?:answer|reply|respond|output|return)\b[^.?]*\bjson\b|\bstructured output\b|(?:怎么|如何|怎样|让模型)[^。？]*(?:输出|返回|回答)[^。？]{0,6}JSON/i,
    en: 'Ask for JSON in the question or in the system prompt, and describe its properties. In a batch or prompt file, set `response_format` as well. The demo service answers with JSON if a request demands it.',
    zh: '在问题或系统提示词中要求 JSON，并说明其中的属性。在批量文件或提示词文件中，还可以设置 `response_format`。请求要求 JSON 时，演示服务会用 JSON 回答。',
  },
  {
    pattern:
      /\b(?:thinking|reasoning) (?:budget|mode|effort|tokens?)\b|\b(?:enable|disable|turn (?:on|off)) (?:the )?(?:thinking|reasoning)\b|\b(?:make|let) (?:the model|a model|it) (?:think|reason)\b|(?:打开|关闭|开启|设置|启用)[^。？]{0,4}(?:思考|推理)|思考(?:模式|预算)/i,
    en: 'Choose **Parameters** under the question. For models that reason first, you can turn reasoning on or off there, and limit its tokens. What the model thought is shown above the answer.',
    zh: '在问题下方选择**参数**。对于会先思考的模型，可以在那里打开或关闭思考，并限制其 Token 数。思考内容显示在回答上方。',
  },
  {
    pattern:
      /\bprox(?:y|ies)\b(?! (?:pattern|class|object))|\b(?:self-signed|tls|ssl|system) certificates?\b|(?:设置|使用|配置|用|走)代理|代理服务器|自签名?证书/i,
    en: 'If a proxy is set in VS Code (`http.proxy`) or in your environment, Inference Desk uses it, with the certificates of the system. The setting `inferenceDesk.network.stack` changes how it connects.',
    zh: '如果在 VS Code（`http.proxy`）或环境变量中设置了代理，Inference Desk 会使用该代理和系统证书。设置 `inferenceDesk.network.stack` 可更改连接方式。',
  },
  {
    pattern:
      /\bterminal\b[^.?]*\b(?:output|attach|add)\b|\b(?:attach|add|send)\b[^.?]*\bterminal\b|(?:附加|添加|发送)[^。？]{0,4}终端/i,
    en: 'Select text in a terminal and choose **Add Terminal Selection to Chat** from its context menu, or type `#` in the question for the last terminal command.',
    zh: '在终端中选定文本，从右键菜单中选择**将终端选定内容添加到聊天**，或在问题中输入 `#` 附加上一条终端命令。',
  },
  {
    pattern:
      /\b(?:check|test|know|see|find out)\b[^.?]*\b(?:whether|if)\b[^.?]*\bmodel\b[^.?]*\b(?:support|can|work)|\bcheck(?:ing)? (?:a |the |my )?models?\b|检查模型|模型[^。？]{0,6}(?:是否)?支持/i,
    command: 'models.search',
    title: ['Search Models…', '搜索模型…'],
    en: '**Check Model…** sends small requests to a model and shows what works: tool calls, JSON, images, and more. Find it in the context menu of a model in the **Models** view.',
    zh: '**检查模型…**向模型发送几个小请求，并显示支持的功能：工具调用、JSON、图片等。它在**模型**视图中模型的右键菜单里。',
  },
  {
    pattern:
      /\binsufficient (?:balance|credit|funds|quota)\b|\bout of credit\b|\b(?:balance|credit)\b[^.?]*\b(?:too low|empty|used up)\b|余额不足|欠费/i,
    command: 'activity.open',
    title: ['Open Activity and Spend', '打开活动与支出'],
    en: 'The service rejects requests because your account has too little credit. Add credit in the console of the service, or use another account. The demo service costs nothing.',
    zh: '账户余额不足，服务拒绝了请求。请在服务的控制台充值，或使用其他账户。演示服务不收费。',
  },
  {
    pattern: /\boffline\b|\bwithout (?:the )?(?:internet|network|a connection)\b|离线|没有网络|不联网|断网/i,
    en: 'The demo service works offline, and so does a local server such as Ollama or llama.cpp. Other services need the internet.',
    zh: '演示服务可以离线使用，Ollama、llama.cpp 等本地服务器也可以。其他服务需要联网。',
  },
  {
    pattern:
      /\b(?:edit|change|correct)\b[^.?]*\b(?:my|a|the) (?:question|message)\b|\b(?:regenerate|redo|another answer|answer again)\b|\bwrong question\b|\b(?:retry|try again with)\b[^.?]*\b(?:answer|response|question)\b|(?:编辑|修改)[^。？]{0,4}(?:问题|提问|消息)|重新(?:生成|回答)/i,
    en: 'Point at a question and choose **Edit Question**, or at an answer and choose **Regenerate Response**. The earlier version is kept: the arrows under it switch between the two.',
    zh: '将指针移到问题上，选择**编辑问题**，或移到回答上，选择**重新生成回答**。之前的版本会保留，可用下方的箭头切换。',
  },
  {
    pattern:
      /\bcompact\b|\b(?:chat|conversation|context)\b[^.?]*\b(?:too long|full|gets long|summar\w+)\b|\bsummari[sz]e (?:the|this|our) (?:chat|conversation)\b|(?:对话|聊天|上下文)[^。？]{0,4}(?:太长|满了?|压缩)|压缩[^。？]{0,4}(?:对话|聊天|上下文)/i,
    en: 'Type `/compact`. The model summarizes the conversation, and later requests begin with the summary. Earlier turns stay readable.',
    zh: '输入 `/compact`，模型会总结对话，之后的请求以总结开头。之前的轮次仍可查看。',
  },
  {
    pattern: /\b(?:keyboard )?shortcuts?\b|\bkey ?bindings?\b|\bwhich keys\b|快捷键/i,
    en: '| Key | Action |\n| --- | --- |\n| `Enter` | Send, or queue during a response |\n| `Ctrl+Enter` | Stop the response and send |\n| `Shift+Enter` | New line |\n| `Escape` | Stop the response |\n| `ArrowUp`, `ArrowDown` | Earlier questions |\n| `#`, `/` | Add context, or choose a command |',
    zh: '| 按键 | 操作 |\n| --- | --- |\n| `Enter` | 发送，回答过程中加入队列 |\n| `Ctrl+Enter` | 停止回答并发送 |\n| `Shift+Enter` | 换行 |\n| `Escape` | 停止回答 |\n| `↑`、`↓` | 之前的问题 |\n| `#`、`/` | 添加上下文，或选择命令 |',
  },
  {
    pattern:
      /\b(?:report|send|file)\b[^.?]*\b(?:bugs?|issues?|feedback|problems?)\b|\bfeedback\b|(?:反馈|报告|提交)[^。？]{0,4}(?:问题|错误|bug|建议)/i,
    command: 'reportProblem',
    title: ['Report Issue…', '报告问题…'],
    en: 'The report contains versions and settings, without keys or conversations. You see the text before you send it.',
    zh: '报告包含版本和设置，不包含密钥和对话。发送前可以查看内容。',
  },
  {
    pattern:
      /\b(?:which|what)(?: is the)?(?: best)? model\b[^.?]*\b(?:best|should|recommend|good|fastest|cheapest)\b|\bbest model\b|\brecommend\b[^.?]*\bmodel|哪个模型[^。？]{0,4}(?:最?好|最快|最便宜)|推荐[^。？]{0,4}模型|用哪个模型/i,
    en: 'That depends on your task. Type `/compare` to ask two to four models the same question, or run an eval to compare them on many rows. In the demo, every model answers by the same rules.',
    zh: '取决于任务。输入 `/compare` 可向两到四个模型提同一个问题，或运行评测，在多行数据上比较。在演示中，所有模型都按同样的规则回答。',
  },
  {
    pattern: /\bhow long\b[^.?]*\bbatch|\bbatch\b[^.?]*\bhow long\b|批量[^。？]*(?:多久|多长时间|什么时候)/i,
    en: 'A service usually completes a batch within 24 hours, often sooner. You can close the window: the **Batches** view shows the state, and results are downloaded when they’re ready. In the demo, a batch takes a few seconds.',
    zh: '服务通常在 24 小时内完成批量任务，往往更快。可以关闭窗口：**批量任务**视图显示状态，结果就绪后会下载。在演示中只需几秒。',
  },
  {
    pattern:
      /\b(?:browse|search|access|go on)\b[^.?]*\b(?:the )?(?:web|internet|online)\b|\brun\b[^.?]*\b(?:terminal|shell) commands?\b|\bcan (?:you|it) (?:run|execute)\b|能(?:不能)?(?:上网|联网|搜索网络|运行命令|执行命令)/i,
    en: 'Only with a tool for it: choose **Tools** under the question. The demo service calls a selected tool when your question names it. A model decides that on its own.',
    zh: '需要相应的工具：在问题下方选择**工具**。问题中提到所选工具的名称时，演示服务会调用它，模型则会自行决定。',
  },
  {
    pattern:
      /\b(?:my|our) (?:data|code|files?|prompts?|messages?|questions?|chats?)\b[^.?]*\b(?:sent|(?<!\bI )send|goes?|stored|saved|upload(?:ed)?|leaves?|private|safe|secure|shared|train(?:ed|ing)?)\b|\bprivacy\b|\btelemetry\b|\bis (?:this|it) (?:private|local|offline|secure|safe)\b|\bwho can (?:see|read)\b|^(?!.*(?:如何|怎么|怎样)).*(?:数据|代码|对话|文件)[^。？]{0,6}(?:上传|发送到|发给|泄露|安全|用于训练|存在哪)|隐私|会上传/i,
    en: 'In the demo, everything stays on this machine. With your own account, messages and attachments are sent only to that service, and your key stays in VS Code’s secret storage. Conversations are stored on this machine. There is no telemetry.',
    zh: '在演示中，所有内容都留在本机。使用自己的账户时，消息和附件只发送到该服务，密钥存储在 VS Code 的机密存储中。对话保存在本机，没有遥测。',
  },
  {
    pattern:
      /\bslash\b|\bwhat\b[^.?]*\bcommands\b|\bcommands\b[^.?]*\b(?:chat|available)\b|\b(?:what|how)\b[^.?]{0,20}\s["'`]?\/["'`]?(?: (?:do|mean|work|for|in (?:the )?chat)|\?|$)|斜杠|(?:有哪些|什么)命令|“?\/”?(?:号|键)?(?:怎么用|是什么|有什么用)/i,
    en: 'Type `/` anywhere in a question:\n\n- `/explain`, `/fix`, `/tests`, and `/docs` for the selection or the open file\n- `/review` and `/commit` for your changes\n- `/new`, `/compact`, `/compare`, `/history`, and `/export` for the conversation\n- the prompt files of your workspace, by name',
    zh: '在问题中的任意位置输入 `/`：\n\n- `/explain`、`/fix`、`/tests` 和 `/docs` 针对选定内容或打开的文件\n- `/review` 和 `/commit` 针对你的更改\n- `/new`、`/compact`、`/compare`、`/history` 和 `/export` 针对对话\n- 工作区中的提示词文件，按名称选择',
  },
  {
    pattern:
      /\b(?:what|how|use|type)\b.*\s["'`]?#["'`]?(?:\s|\?|$)|\bhash(?:tag| sign)\b|[#＃井] ?号|[“"]?[#＃][”"]?(?:怎么用|是什么|有什么用)/i,
    en: 'Type `#` anywhere in a question to attach files, folders, symbols, the selection, problems, your changes, or the last terminal command, and to select tools. Keep typing to search, and press `Enter`.',
    zh: '在问题中的任意位置输入 `#`，可附加文件、文件夹、符号、选定内容、问题、更改或上一条终端命令，也可选择工具。继续输入即可搜索，按 `Enter` 确认。',
  },
  {
    pattern:
      /\bhow many tokens\b[^.?]*\b(?:this|my|message|question|sentence|file|conversation)\b|\bcount (?:the |my )?tokens\b|(?:多少|几个|统计)[^。？]{0,4}(?:Token|令牌)/i,
    en: 'Hover over the ring under the question: it shows the tokens of the conversation, the attachments, and your message. In a batch file, they are shown above the first line.',
    zh: '将指针停在问题下方的圆环上，即可看到对话、附件和消息的 Token 数。批量文件的 Token 数显示在第一行上方。',
  },
  {
    pattern:
      /\bcompar(?:e|ing)\b[^.?]*\bmodels?\b|\b(?:two|several|multiple) models\b|\bmodels? side by side\b|同时[^。？]{0,4}(?:多个|两个|几个)模型|(?:比较|对比)[^。？]{0,6}模型|模型[^。？]{0,4}(?:比较|对比)/i,
    en: 'Type `/compare` and choose two to four models. Your next question goes to all of them, and the answers stand side by side. Choose one to continue with it.',
    zh: '输入 `/compare`，选择两到四个模型。下一个问题会发送给所有选定的模型，回答并排显示。选择其中一个即可继续。',
  },
  {
    pattern:
      /\b(?:stop|cancel|interrupt|abort|steer|queue)\b[^.?]*\b(?:answers?|responses?|messages?|generat\w+|reply)\b|\bsteer(?:ing)?\b|\bstop button\b|(?:停止|打断|中断|取消)[^。？]{0,6}(?:回答|生成|回复)|排队|(?:消息|问题)队列/i,
    en: 'Press `Escape` to stop a response. While a response arrives, `Enter` queues your message, and `Ctrl+Enter` stops the response and sends your message.',
    zh: '按 `Escape` 停止回答。回答过程中，按 `Enter` 会把消息加入队列，按 `Ctrl+Enter` 会停止回答并发送消息。',
  },
  {
    pattern:
      /\b(?:how|where|can I)\b[^.?]*\b(?:add|use|select|enable|disable|turn off|write|create|connect|set up)\b[^.?]*\b(?:tools?|mcp(?: servers?)?)\b|(?:怎么|如何|怎样)[^。？]*(?:工具|MCP)/i,
    en: 'Choose **Tools** under the question. Select tools of VS Code, including those of your MCP servers, or choose **New Tool…** to describe one yourself. Clear a tool’s checkbox to turn it off. The demo service calls a selected tool when your question names it.',
    zh: '在问题下方选择**工具**。可以选择 VS Code 的工具（包括 MCP 服务器的工具），或选择**新建工具…**自己描述一个。取消勾选即可关闭某个工具。问题中提到所选工具的名称时，演示服务会调用它。',
  },
  {
    pattern:
      /\b(?:how|where|change|set|lower|increase|edit)\b[^.?]*\b(?:temperature|top_?[pk]|max_?tokens|parameters?|system prompt|instructions|seed)\b|(?:怎么|如何|怎样|设置|修改|调整|在哪)[^。？]*(?:温度|参数|系统提示词|指令)/i,
    en: 'Choose **Parameters** under the question to set the system prompt, temperature, and other parameters of this conversation. Instructions for every conversation come from `AGENTS.md` and `.github/copilot-instructions.md`, or from the setting `inferenceDesk.chat.instructions`.',
    zh: '在问题下方选择**参数**，可设置此对话的系统提示词、温度等参数。所有对话的指令来自 `AGENTS.md`、`.github/copilot-instructions.md`，或设置 `inferenceDesk.chat.instructions`。',
  },
  {
    pattern:
      /\b(?:change|switch|set)\b[^.?]*\b(?:language|to (?:chinese|english))\b|(?:切换|更改|改成?|设置)[^。？]{0,6}(?:语言|中文|英文)(?!翻译)/i,
    en: 'Inference Desk uses VS Code’s display language. To change it, run **Configure Display Language** in the Command Palette. You can ask the demo in English or Chinese.',
    zh: 'Inference Desk 使用 VS Code 的显示语言。要更改，请在命令面板中运行 **Configure Display Language**。可以用中文或英文向演示提问。',
  },
  {
    pattern:
      /\b(?:can|do) you (?:speak|understand|answer in|know|write in?) (?:chinese|english|other languages?)\b|(?:会|能|可以)(?:不会)?(?:说|用|讲)?(?:中文|汉语|英文|英语)(?:吗|回答)|你?支持(?:哪些|什么)语言/i,
    en: 'Yes. The demo answers in English and in Chinese, in the language of your question.',
    zh: '可以。演示会用提问的语言回答，支持中文和英文。',
  },
  {
    pattern:
      /\b(?:uninstall|remove|delete|disable)\b[^.?]*\b(?:extension|plugin|inference desk)\b|(?:卸载|删除|禁用)[^。？]{0,4}(?:插件|扩展)/i,
    command: 'manageAccounts',
    title: ['Manage Accounts…', '管理账户…'],
    en: 'Open the **Extensions** view, find Inference Desk, and choose **Uninstall** or **Disable**. To delete your keys as well, sign out of your accounts first.',
    zh: '打开**扩展**视图，找到 Inference Desk，然后选择**卸载**或**禁用**。如果还要删除密钥，请先退出登录。',
  },
  {
    pattern: /\b(?:tell|know|say|give)\b[^.?]*\bjoke\b|(?:讲|说)(?:一)?个?笑话/i,
    en: 'Why do programmers confuse Halloween with Christmas? Because OCT 31 equals DEC 25.',
    zh: '程序员为什么分不清万圣节和圣诞节？因为 OCT 31 等于 DEC 25。',
  },
  {
    pattern:
      /^\W*(?:(?:hi|hello|hey)(?: there)?\W+)?(?:so )?(?:what(?:'s|’s|s| is) (?:this|it)(?: (?:for|all about|about|thing|extension|app|tool))*|how (?:does|do) (?:this|it)(?: (?:extension|app|tool|demo))? work|how (?:do|can|should) (?:i|we) (?:get started|start|begin|use (?:this|it|the demo|inference desk))|where (?:do|should|can) (?:i|we) (?:start|begin)|get(?:ting)? started|(?:take )?(?:a |the )?tour|what now|i don['’]t (?:understand|get it)|(?:can|could) you explain (?:that|it)(?: again)?|(?:show|give) me (?:an )?examples?|what (?:do|should|can) i do(?: (?:here|now|first|next))?|tutorial)\W*$|^[^\p{L}\p{N}]*(?:你好[^\p{L}\p{N}]*)?(?:请问)?(?:这个?(?:插件|扩展|工具)?(?:是什么|是干什么的|是干嘛的|是做什么的|有什么用|(?:要)?(?:怎么|如何)(?:使?用|开始))|(?:我)?(?:该|应该)?(?:怎么|如何|怎样)(?:使用|用|开始|上手)(?:它|这个)?|看不懂|没看懂|不明白|举个例子|从哪里?开始|新手(?:入门|教程)?|入门|教程)[呢吗啊]?[^\p{L}\p{N}]*$/iu,
    command: 'getStarted',
    title: ['Get Started', '入门'],
    en: 'Inference Desk brings inference services into VS Code: chat, batch files, images, speech, and more. You are in the demo, which costs nothing and answers by rules, without a model. Follow the guide, or ask "What can you do?"',
    zh: 'Inference Desk 把推理服务带进 VS Code：聊天、批量文件、图片、语音等。现在是演示：不收费，按规则回答，没有模型。可以按指引开始，也可以问“你能做什么？”',
  },
  {
    pattern:
      /\b(?:can|do|could|will) you (?:\w+ )?(?:read|see|access|look (?:at|into)|open|know)\b.*\b(?:files?|code|workspace|project|repo(?:sitory)?|folder|screen|editor)\b|(?:能|可以|会)[^。？]{0,4}(?:看到?|读取?|访问|打开)[^。？]{0,8}(?:文件|代码|项目|工作区)/i,
    command: 'chat.attach',
    title: ['Add Context to Chat…', '将上下文添加到聊天…'],
    en: 'The chat sends only what you attach. Type `#` to attach files, a selection, problems, or changes. The open file is offered as a dashed chip above the question: click it to attach the file.',
    zh: '聊天只发送你附加的内容。输入 `#` 可附加文件、选定内容、问题或更改。打开的文件会以虚线标签显示在问题上方，单击即可附加。',
  },
  {
    pattern:
      /\b(?:attach|add|paste|send|drop|upload|look at|see|understand|support|describe|recogni[sz]e|analy[sz]e)\b[^.?]*\b(?:images?|pictures?|photos?|screenshots?)\b|(?:附加|添加|粘贴|发送?|上传|看懂?|识别)[^。？]{0,6}(?:图片|图像|截图|照片|图)(?!库)/i,
    command: 'chat.attach',
    title: ['Add Context to Chat…', '将上下文添加到聊天…'],
    en: 'Paste an image into the question, drop it there, or type `#images` to choose a file. The demo service doesn’t look at images. A model that supports images does.',
    zh: '把图片粘贴或拖入问题，或输入 `#图片` 选择文件。演示服务不会查看图片，支持图片的模型会。',
  },
  {
    pattern:
      /\b(?:new|fresh|another)\b[^.?]*\b(?:chat|conversation)\b|\b(?:clear|reset|empty)\b[^.?]*\b(?:chat|conversation)\b|(?:新建?|重新开始|开启|清空)[^。？]{0,6}(?:对话|聊天|会话)/i,
    command: 'chat.new',
    title: ['New Conversation', '新建对话'],
    en: 'Choose **+** at the top of the chat, or type `/new`. Earlier conversations are kept in the list.',
    zh: '选择聊天顶部的 **+**，或输入 `/new`。之前的对话保留在列表中。',
  },
  {
    pattern:
      /\b(?:old|previous|earlier|past|last|saved)\b[^.?]*\b(?:chats?|conversations?)\b|\bremember\b[^.?]*\bI (?:asked|said|wrote)\b|\b(?:chat|conversation|my|question) history\b|\b(?:delete|remove|rename|find|search|continue|reopen|list)\b[^.?]*\b(?:chats?|conversations?)\b|\bwhere are my (?:chats|conversations)\b|历史(?:记录|对话)|(?:以前|之前|过去)的?(?:对话|聊天)|(?:删除|重命名|查找|搜索|找回)[^。？]{0,4}(?:对话|聊天|会话)/i,
    command: 'chat.conversations',
    title: ['Show Conversations', '显示对话'],
    en: 'The list of conversations opens with the history icon at the top of the chat, or with `/history`. You can search, rename, and delete them there.',
    zh: '选择聊天顶部的历史图标，或输入 `/history`，即可打开对话列表，在那里搜索、重命名和删除对话。',
  },
  {
    pattern:
      /\b(?:see|show|view|inspect|get|find)\b[^.?]*\b(?:raw|sent|last|recent) (?:json|requests?|responses?)\b|(?:查看|显示)[^。？]{0,4}(?:原始)?(?:请求|响应)/i,
    en: 'Point at an answer and choose **Show Request and Response** under it, or run **Show Recent Requests…** in the Command Palette.',
    zh: '将指针移到回答上，选择其下方的**显示请求与响应**，或在命令面板中运行**显示最近的请求…**。',
  },
  {
    pattern: /\bcopy\b[^.?]*\b(?:answers?|responses?)\b|复制[^。？]{0,4}回答/i,
    en: 'Point at an answer and choose the copy icon under it. Each code block has **Copy** in its own head.',
    zh: '将指针移到回答上，选择其下方的复制图标。每个代码块的标题栏中也有**复制**。',
  },
  {
    pattern:
      /\b(?:where|open|find|change)\b[^.?]*\bsettings\b|\bfonts?\b[^.?]*\bchat\b|\b(?:font|text) size\b[^.?]*\bchat\b|\b(?:is there|use|turn on|switch to)\b[^.?]*\b(?:dark|light) (?:mode|theme)\b|(?:深色|浅色|暗色)(?:模式|主题)|设置(?:页面?)?在哪|(?:打开|在哪)[^。？]{0,4}设置/i,
    en: 'Open VS Code’s settings and search for `@ext:inference-desk.inference-desk`. The chat uses the fonts and colors of VS Code.',
    zh: '打开 VS Code 的设置，搜索 `@ext:inference-desk.inference-desk`。聊天使用 VS Code 的字体和颜色。',
  },
  {
    pattern:
      /\b(?:move|open|show)\b[^.?]*\b(?:chats?|conversations?)\b[^.?]*\b(?:tab|editor|side bar|window|at once|side by side)\b|(?:聊天|对话)[^。？]{0,4}(?:移到|移至|打开)[^。？]{0,6}(?:标签|编辑器|侧边栏)|同时打开[^。？]{0,4}(?:聊天|对话)|在(?:编辑器|标签页|侧边栏)[^。？]{0,3}打开[^。？]{0,3}(?:聊天|对话)/i,
    en: 'Choose **Move Chat to Editor** in the menu of the chat’s title, or run **Open Chat in Editor** for another one. Each tab has its own conversation.',
    zh: '在聊天标题的菜单中选择**将聊天移至编辑器**，或运行**在编辑器中打开聊天**再打开一个。每个标签页有自己的对话。',
  },
  {
    pattern: /\bvariables?\b[^.?]*\bprompts?\b|\bprompts?\b[^.?]*\bvariables?\b|提示词[^。？]{0,6}变量/i,
    command: 'prompts.new',
    title: ['New Prompt File', '新建提示词文件'],
    en: 'Write a name in double braces in a prompt file, such as `{{city}}`. You’re asked for its value when you run the file.',
    zh: '在提示词文件中用双大括号写变量名，例如 `{{city}}`。运行文件时会询问其值。',
  },
  {
    pattern:
      /^\W*(?:how|where)\b[^.?]*\b(?:upload|delete)\b[^.?]*\bfiles?\b(?![^.?]*\b(?:python|java|javascript|node|bash|linux|windows|mac|terminal|git)\b)|(?:怎么|如何|在哪)[^。？]{0,4}(?:上传|删除)[^。？]{0,6}文件/i,
    en: 'The **Files** view lists the files at the service. Upload, download, or delete files there. To send a file with a question, type `#`.',
    zh: '**文件**视图列出服务中的文件，可在那里上传、下载或删除。要随问题发送文件，请输入 `#`。',
  },
  {
    pattern:
      /\b(?:answers?|responses?|replies)\b[^.?]*\b(?:shorter|longer|brief(?:er)?|concise|more detail(?:ed|s)?)\b|\b(?:shorter|longer|brief(?:er)?|concise|more detailed)\b[^.?]*\b(?:answers?|responses?|replies)\b|(?:回答|回复)[^。？]{0,4}(?:短一|长一|更短|更长|简短|简洁|详细)/i,
    en: 'Say so in your question, or for the entire conversation in the system prompt under **Parameters**. The demo’s answers are prepared, so they don’t change.',
    zh: '在问题中说明，或在**参数**的系统提示词中为整个对话说明。演示的回答是准备好的，不会改变。',
  },
  {
    pattern:
      /\bdifference\b[^.?]*\b(?:apply|insert)\b|\bwhat (?:does|do)\b[^.?]{0,20}["'“*]?\b(?:apply|insert)\b|(?:应用|插入)(?:和|与|跟)(?:应用|插入)/i,
    en: '**Apply** finds where the code belongs in its file and shows each change there with **Keep** and **Undo**. **Insert** puts the code at the cursor as it is.',
    zh: '**应用**会找到代码在文件中的位置，逐处显示更改，可以**保留**或**撤消**。**插入**则把代码原样放在光标处。',
  },
  {
    pattern:
      /\bwhy (?:is|are)\b[^.?]{0,4}\b(?:it|this|the (?:demo|chat|model|answers?|responses?)|inference desk)\b[^.?]{0,20}\bslow|(?:响应|回答|回复|演示)[^。？]{0,6}慢/i,
    en: 'The demo writes at a reading pace on purpose. With your own account, the speed depends on the service and the model. Point at the line under an answer to see the time to its first token.',
    zh: '演示有意按阅读速度输出。使用自己的账户时，速度取决于服务和模型。将指针停在回答下方的一行上，即可看到首个 Token 的时间。',
  },
  {
    pattern:
      /\b(?:two|several|multiple|many|another|both|other) windows?\b[^.?]*\b(?:accounts?|chats?|conversations?|batch(?:es)?|keys?|inference desk|same)\b|(?:两个|多个|几个|其他|另一个)窗口/i,
    command: 'activity.open',
    title: ['Open Activity and Spend', '打开活动与支出'],
    en: 'All windows share your accounts, conversations, and jobs. Activity and Spend lists the work of every window.',
    zh: '所有窗口共用账户、对话和任务。“活动与支出”会列出每个窗口的工作。',
  },
];
