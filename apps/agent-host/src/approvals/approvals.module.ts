import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TaskData } from '@a2a/a2a-core';
import { ApprovalBook } from './approval-book.js';
import { ApprovalData } from './approval-data.js';
import { ApprovalDelivery } from './approval-delivery.js';
import { ApprovalOptions, DEFAULT_EXPIRES_AFTER_MS } from './approval.options.js';
import { ApprovalsController } from './approvals.controller.js';
import { leaveFormsUnread } from './form-parsing.js';

/** The host's desk for approvals by people: a page, a durable record, and a task that goes on afterwards. */
@Module({})
export class ApprovalsModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly tasks: TaskData,
    private readonly book: ApprovalBook,
  ) {}

  /** Global, so that any agent may inject ApprovalBook. */
  static forRoot(options: { readonly publicUrl: string; readonly expiresAfterMs?: number }): DynamicModule {
    return {
      module: ApprovalsModule,
      global: true,
      controllers: [ApprovalsController],
      providers: [
        { provide: ApprovalOptions, useValue: { expiresAfterMs: DEFAULT_EXPIRES_AFTER_MS, ...options } },
        ApprovalBook,
        ApprovalDelivery,
      ],
      exports: [ApprovalBook],
    };
  }

  onModuleInit(): void {
    leaveFormsUnread(this.host.httpAdapter);
    this.tasks.add(new ApprovalData(this.book));
  }
}
