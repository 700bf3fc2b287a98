import { Module } from '@nestjs/common';
import { IncidentAnalystAgent } from './incident-analyst.agent.js';
import { AnalyzeIncidentSkill } from './skills/analyze-incident.skill.js';
import { GroupErrorsSkill } from './skills/group-errors.skill.js';
import { TimelineSkill } from './skills/timeline.skill.js';

/** A new skill is one class in `skills/` and one name here. */
@Module({ providers: [IncidentAnalystAgent, AnalyzeIncidentSkill, TimelineSkill, GroupErrorsSkill] })
export class IncidentAnalystModule {}
