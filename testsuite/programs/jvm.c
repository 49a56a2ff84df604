/* SPDX-License-Identifier: GPL-2.0 */
/* A virtual machine of Java in the first thread, whose native code is busy: it reads classes, makes
 * strings, interprets. host/unwind-walks */
#include <jni.h>
#include <stdio.h>

static const char *const classes[] = {
	"java/util/TreeMap", "java/util/regex/Pattern", "java/math/BigDecimal", "java/net/URI",
	"java/text/SimpleDateFormat", "java/util/concurrent/ConcurrentSkipListMap",
	"java/util/zip/Deflater", "java/time/ZonedDateTime", "java/util/stream/Collectors",
};

int main(void)
{
	JavaVMOption options[] = { { "-Xint", NULL }, { "-Xshare:off", NULL } };
	JavaVMInitArgs args = { JNI_VERSION_1_8, 2, options, JNI_FALSE };
	jmethodID intern, matches;
	jclass string;
	JavaVM *vm;
	JNIEnv *env;

	if (JNI_CreateJavaVM(&vm, (void **)&env, &args) != JNI_OK)
		return 1;
	string = (*env)->FindClass(env, "java/lang/String");
	intern = (*env)->GetMethodID(env, string, "intern", "()Ljava/lang/String;");
	matches = (*env)->GetMethodID(env, string, "matches", "(Ljava/lang/String;)Z");
	for (unsigned i = 0;; i++) {
		char text[32];
		jstring name;

		snprintf(text, sizeof(text), "%u", i);
		(*env)->PushLocalFrame(env, 16);
		name = (*env)->NewStringUTF(env, text);
		(*env)->CallObjectMethod(env, name, intern);
		(*env)->CallBooleanMethod(env, name, matches, name);
		(*env)->FindClass(env, classes[i % (sizeof(classes) / sizeof(*classes))]);
		(*env)->ExceptionClear(env);
		(*env)->PopLocalFrame(env, NULL);
	}
}
