// The program by which jobs are made on Windows, for which Node has no calls: PowerShell loads it, and it stays as long as
// the engine talks to it. When the engine is gone its handles of the jobs are closed, and with them the jobs end. It is a
// text because PowerShell compiles it; only what the C# of every Windows since 10 knows is used.

/**
 * Reads lines: `open JOB PID MEMORY PROCESSES CPU` puts a process into a new job (bytes, number, milliseconds; 0 for no
 * limit), `end JOB` ends everything in it, `close JOB` forgets it. The number of a job is the caller's. Answers lines of JSON.
 */
export const brokerSource = String.raw`
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;

public static class JobBroker {
  [StructLayout(LayoutKind.Sequential)]
  struct Basic {
    public long ProcessTime, JobTime;
    public uint Flags;
    public UIntPtr MinimumWorkingSet, MaximumWorkingSet;
    public uint Processes;
    public UIntPtr Affinity;
    public uint Priority, Scheduling;
  }

  [StructLayout(LayoutKind.Sequential)]
  struct Extended {
    public Basic Basic;
    public ulong Reads, Writes, Others, ReadBytes, WrittenBytes, OtherBytes;
    public UIntPtr ProcessMemory, JobMemory, PeakProcessMemory, PeakJobMemory;
  }

  [StructLayout(LayoutKind.Sequential)]
  struct Accounting {
    public long UserTime, KernelTime, PeriodUserTime, PeriodKernelTime;
    public uint PageFaults, Total, Active, Terminated;
  }

  [StructLayout(LayoutKind.Sequential)]
  struct Port { public IntPtr Key, Handle; }

  [DllImport("kernel32", SetLastError = true)] static extern IntPtr CreateJobObject(IntPtr security, IntPtr name);
  [DllImport("kernel32", SetLastError = true)] static extern bool SetInformationJobObject(IntPtr job, int kind, ref Extended value, int size);
  [DllImport("kernel32", SetLastError = true)] static extern bool SetInformationJobObject(IntPtr job, int kind, ref Port value, int size);
  [DllImport("kernel32", SetLastError = true)] static extern bool SetInformationJobObject(IntPtr job, int kind, ref uint value, int size);
  [DllImport("kernel32", SetLastError = true)] static extern bool QueryInformationJobObject(IntPtr job, int kind, out Extended value, int size, IntPtr length);
  [DllImport("kernel32", SetLastError = true)] static extern bool QueryInformationJobObject(IntPtr job, int kind, out Accounting value, int size, IntPtr length);
  [DllImport("kernel32", SetLastError = true)] static extern bool AssignProcessToJobObject(IntPtr job, IntPtr process);
  [DllImport("kernel32", SetLastError = true)] static extern bool TerminateJobObject(IntPtr job, uint code);
  [DllImport("kernel32", SetLastError = true)] static extern bool CloseHandle(IntPtr handle);
  [DllImport("kernel32", SetLastError = true)] static extern IntPtr CreateIoCompletionPort(IntPtr file, IntPtr port, UIntPtr key, uint threads);
  [DllImport("kernel32", SetLastError = true)] static extern bool GetQueuedCompletionStatus(IntPtr port, out uint message, out UIntPtr key, out IntPtr detail, uint waitMs);
  [DllImport("kernel32", SetLastError = true)] static extern bool PostQueuedCompletionStatus(IntPtr port, uint message, UIntPtr key, IntPtr detail);

  const int AccountingKind = 1, UserInterfaceKind = 4, EndOfTimeKind = 6, PortKind = 7, ExtendedKind = 9;
  const uint JobTimeFlag = 0x4, ProcessesFlag = 0x8, JobMemoryFlag = 0x200, DieOnExceptionFlag = 0x400, KillOnCloseFlag = 0x2000;
  const uint EndOfTimeMessage = 1, ProcessesMessage = 3, NobodyMessage = 4, MemoryMessage = 10;
  const uint PostAtEndOfTime = 1, AllOfUserInterface = 0xff, EndedByBroker = 1;

  class Failure : Exception {
    public readonly string Step;
    public readonly int Code = Marshal.GetLastWin32Error();
    public Failure(string step) { Step = step; }
  }

  class Job { public IntPtr Handle; public ulong OwnBytes; }

  static readonly object gate = new object();
  static readonly Dictionary<uint, Job> jobs = new Dictionary<uint, Job>();
  static IntPtr port;

  public static void Serve() {
    port = CreateIoCompletionPort(new IntPtr(-1), IntPtr.Zero, UIntPtr.Zero, 1);
    var reader = new Thread(Read);
    reader.IsBackground = true;
    reader.Start();
    Say("{\"event\":\"ready\"}");
    var watch = Stopwatch.StartNew();
    while (true) {
      uint wait;
      lock (gate) wait = jobs.Count == 0 ? uint.MaxValue : 100;
      uint message; UIntPtr key; IntPtr detail;
      bool came = GetQueuedCompletionStatus(port, out message, out key, out detail, wait);
      lock (gate) {
        if (came && key != UIntPtr.Zero) Hear(key.ToUInt32(), message);
        if (watch.ElapsedMilliseconds < 100) continue;
        foreach (var job in jobs) Tell(job.Key, job.Value);
        watch.Restart();
      }
    }
  }

  static void Read() {
    string line;
    while ((line = Console.In.ReadLine()) != null) {
      string[] words = line.Split(' ');
      uint number = uint.Parse(words[1]);
      lock (gate) {
        Job job;
        if (words[0] == "open") Open(number, words);
        else if (!jobs.TryGetValue(number, out job)) continue;
        else if (words[0] == "end") TerminateJobObject(job.Handle, EndedByBroker);
        else Close(number, job);
      }
    }
    Environment.Exit(0);
  }

  static void Open(uint number, string[] words) {
    var job = new Job();
    try {
      using (var process = Process.GetProcessById(int.Parse(words[2]))) {
        job.OwnBytes = (ulong) process.PrivateMemorySize64;
        // A job that restricts the user interface cannot lie inside another job, which the engine may be in.
        bool restricted = Enclose(job, number, words, process.Handle, AllOfUserInterface);
        if (!restricted) Enclose(job, number, words, process.Handle, 0);
        jobs[number] = job;
        Say("{\"event\":\"opened\",\"job\":" + number + ",\"userInterface\":\"" + (restricted ? "restricted" : "open") + "\"}");
      }
      // It waits for ever while there are no jobs.
      PostQueuedCompletionStatus(port, 0, UIntPtr.Zero, IntPtr.Zero);
    } catch (Exception error) {
      if (job.Handle != IntPtr.Zero) CloseHandle(job.Handle);
      var failure = error as Failure;
      string step = failure == null ? "find" : failure.Step;
      Say("{\"event\":\"refused\",\"job\":" + number + ",\"step\":\"" + step + "\",\"code\":" + (failure == null ? 0 : failure.Code) + "}");
    }
  }

  /** False where the process cannot be put into a job with this restriction; a failure where it cannot without one. */
  static bool Enclose(Job job, uint number, string[] words, IntPtr process, uint userInterface) {
    job.Handle = CreateJobObject(IntPtr.Zero, IntPtr.Zero);
    if (job.Handle == IntPtr.Zero) throw new Failure("create");
    Limit(job, ulong.Parse(words[3]), uint.Parse(words[4]), long.Parse(words[5]));
    var message = new Port { Key = new IntPtr((int) number), Handle = port };
    if (!SetInformationJobObject(job.Handle, PortKind, ref message, Marshal.SizeOf(message))) throw new Failure("listen");
    if (userInterface != 0 && !SetInformationJobObject(job.Handle, UserInterfaceKind, ref userInterface, 4)) throw new Failure("restrict");
    if (AssignProcessToJobObject(job.Handle, process)) return true;
    if (userInterface == 0) throw new Failure("assign");
    CloseHandle(job.Handle);
    return false;
  }

  /** Nothing in it may leave it; what its first process uses already does not count. */
  static void Limit(Job job, ulong memory, uint processes, long cpuMs) {
    var limits = new Extended();
    limits.Basic.Flags = KillOnCloseFlag | DieOnExceptionFlag;
    if (memory != 0) {
      limits.Basic.Flags |= JobMemoryFlag;
      limits.JobMemory = new UIntPtr(memory + job.OwnBytes);
    }
    if (processes != 0) {
      limits.Basic.Flags |= ProcessesFlag;
      limits.Basic.Processes = processes + 1;
    }
    if (cpuMs != 0) {
      limits.Basic.Flags |= JobTimeFlag;
      limits.Basic.JobTime = cpuMs * 10000;
      uint action = PostAtEndOfTime;
      if (!SetInformationJobObject(job.Handle, EndOfTimeKind, ref action, 4)) throw new Failure("limit");
    }
    if (!SetInformationJobObject(job.Handle, ExtendedKind, ref limits, Marshal.SizeOf(limits))) throw new Failure("limit");
  }

  static void Hear(uint number, uint message) {
    Job job;
    if (!jobs.TryGetValue(number, out job)) return;
    if (message == NobodyMessage) Tell(number, job);
    string limit = message == EndOfTimeMessage ? "time" : message == ProcessesMessage ? "processes" : message == MemoryMessage ? "memory" : null;
    if (limit == null) return;
    Say("{\"event\":\"limit\",\"job\":" + number + ",\"limit\":\"" + limit + "\"}");
    if (limit == "time") TerminateJobObject(job.Handle, EndedByBroker);
  }

  static void Tell(uint number, Job job) {
    Accounting used; Extended limits;
    if (!QueryInformationJobObject(job.Handle, AccountingKind, out used, Marshal.SizeOf(typeof(Accounting)), IntPtr.Zero)) return;
    if (!QueryInformationJobObject(job.Handle, ExtendedKind, out limits, Marshal.SizeOf(typeof(Extended)), IntPtr.Zero)) return;
    ulong peak = limits.PeakJobMemory.ToUInt64();
    ulong memory = peak > job.OwnBytes ? peak - job.OwnBytes : 0;
    long cpuMs = (used.UserTime + used.KernelTime) / 10000;
    Say("{\"event\":\"usage\",\"job\":" + number + ",\"processes\":" + used.Active + ",\"cpuMs\":" + cpuMs + ",\"memoryBytes\":" + memory + "}");
  }

  static void Close(uint number, Job job) {
    CloseHandle(job.Handle);
    jobs.Remove(number);
  }

  static void Say(string line) {
    lock (Console.Out) {
      Console.Out.Write(line + "\n");
      Console.Out.Flush();
    }
  }
}
`;

/** What PowerShell is told: the first line that it reads is the program. Where it may compile none it says so instead. */
export const bootstrap = [
  "$ErrorActionPreference = 'Stop'",
  `if ($ExecutionContext.SessionState.LanguageMode -ne 'FullLanguage') { '{"event":"unfit","reason":"language"}'; exit }`,
  'try {',
  '$source = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String([Console]::In.ReadLine()))',
  'Add-Type -TypeDefinition $source',
  `} catch { '{"event":"unfit","reason":"compiler"}'; exit }`,
  '[JobBroker]::Serve()',
].join('\n');
